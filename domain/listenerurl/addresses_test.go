package listenerurl_test

import (
	"net/netip"
	"strings"
	"testing"

	"ticketgate/domain/listenerurl"
)

func TestAddressesOnBothSidesOfEveryBlock(t *testing.T) {
	// Each block is tested at its first and last address. The neighboring addresses are public unless they belong to
	// another block.
	for _, c := range []struct {
		block         string
		before, after bool
	}{
		{"0.0.0.0/8", false, true},
		{"10.0.0.0/8", true, true},
		{"100.64.0.0/10", true, true},
		{"127.0.0.0/8", true, true},
		{"169.254.0.0/16", true, true},
		{"172.16.0.0/12", true, true},
		{"192.0.0.0/24", true, true},
		{"192.0.2.0/24", true, true},
		{"192.31.196.0/24", true, true},
		{"192.52.193.0/24", true, true},
		{"192.88.99.0/24", true, true},
		{"192.168.0.0/16", true, true},
		{"192.175.48.0/24", true, true},
		{"198.18.0.0/15", true, true},
		{"198.51.100.0/24", true, true},
		{"203.0.113.0/24", true, true},
		{"224.0.0.0/4", true, false},
		{"240.0.0.0/4", false, false},
		{"168.63.129.16/32", true, true},
		{"::/3", false, true},
		{"2001::/23", true, true},
		{"2001:db8::/32", true, true},
		{"2002::/16", true, true},
		{"2620:4f:8000::/48", true, true},
		{"3fff::/20", true, true},
		{"4000::/2", true, false},
		{"8000::/1", false, false},
	} {
		block := netip.MustParsePrefix(c.block)
		first, last := block.Addr(), lastOf(block)
		want := map[netip.Addr]bool{first: false, last: false, first.Prev(): c.before, last.Next(): c.after}
		for addr, allowed := range want {
			if got := listenerurl.AllowedAddress(addr); got != allowed {
				t.Errorf("%s: %v is allowed: %v", c.block, addr, got)
			}
		}
	}
}

func lastOf(p netip.Prefix) netip.Addr {
	bytes := p.Addr().AsSlice()
	for bit := p.Bits(); bit < len(bytes)*8; bit++ {
		bytes[bit/8] |= 0x80 >> (bit % 8)
	}
	last, _ := netip.AddrFromSlice(bytes)
	return last
}

func TestMappedAddressesAreJudgedAsIPv4(t *testing.T) {
	for text, want := range map[string]bool{
		"::ffff:8.8.8.8": true, "::ffff:10.0.0.5": false, "::ffff:169.254.169.254": false, "::8.8.8.8": false, "::ffff:0:8.8.8.8": false,
		"2606:4700:4700::1111%eth0": false,
	} {
		if got := listenerurl.AllowedAddress(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is allowed: %v", text, got)
		}
	}
}

func TestCheckAddressNamesNoAddress(t *testing.T) {
	strict, lifted := listenerurl.Policy{}, listenerurl.Policy{AllowPrivateAddresses: true}
	inside := netip.MustParseAddr("10.1.2.3")
	if err := strict.CheckAddress(inside); err == nil || strings.ContainsAny(err.Error(), "0123456789") {
		t.Errorf("the refusal is %v", err)
	}
	if err := lifted.CheckAddress(inside); err != nil {
		t.Errorf("refused with AllowPrivateAddresses: %v", err)
	}
	if err := lifted.CheckAddress(netip.Addr{}); err == nil {
		t.Error("an invalid address was accepted")
	}
	if err := strict.CheckAddress(netip.MustParseAddr("93.184.216.34")); err != nil {
		t.Errorf("refused a public address: %v", err)
	}
}
