package edge

import (
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks whose statement of the caller's address is believed. The zero value believes nobody.
type Proxies []netip.Prefix

// The networks that a setting can name.
var namedNetworks = map[string]Proxies{
	"loopback": {netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
	"private": {
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
		netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("fe80::/10"),
	},
}

// ParseProxies reads networks separated by commas: CIDRs, single addresses, and the names loopback and private. A network
// of every address is refused: any caller could then choose its address.
func ParseProxies(text string) (Proxies, bool) {
	var proxies Proxies
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if named, ok := namedNetworks[strings.ToLower(part)]; ok {
			proxies = append(proxies, named...)
			continue
		}
		network, ok := parseNetwork(part)
		if !ok || network.Bits() == 0 {
			return nil, false
		}
		proxies = append(proxies, network)
	}
	return proxies, true
}

// parseNetwork reads a CIDR or a single address. IPv4 written as IPv6 is IPv4, as it is in normalized addresses.
func parseNetwork(text string) (netip.Prefix, bool) {
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		address = normalized(address)
		return netip.PrefixFrom(address, address.BitLen()), true
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, false
	}
	const mapped = 96 // bits before the IPv4 address
	if network.Addr().Is4In6() {
		if network.Bits() < mapped {
			return netip.Prefix{}, false
		}
		network = netip.PrefixFrom(network.Addr().Unmap(), network.Bits()-mapped)
	}
	return network.Masked(), true
}

// Contain reports whether an address is one of the proxies'.
func (p Proxies) Contain(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// String lists the networks as ParseProxies reads them.
func (p Proxies) String() string {
	networks := make([]string, len(p))
	for i, network := range p {
		networks[i] = network.String()
	}
	return strings.Join(networks, ", ")
}

// Internal reports whether an address is a loopback or private one, as a proxy in front of the server has.
func Internal(address netip.Addr) bool {
	return namedNetworks["loopback"].Contain(address) || namedNetworks["private"].Contain(address)
}

// normalized returns the one form of an address: IPv4 as IPv4, and no zone.
func normalized(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }
