package domain_test

import (
	"testing"

	"ticketgate/domain"
)

func TestNetworkOfACall(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.1":           "192.0.2.1",
		"::ffff:192.0.2.1":    "192.0.2.1",
		"2001:db8:1:2::1":     "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::": "2001:db8:1:2::/64",
		"2001:db8:1:3::1":     "2001:db8:1:3::/64",
		"fe80::1%eth0":        "fe80::/64",
		"":                    "",
		"unix":                "",
	} {
		if got := (domain.Call{Address: address}).Network(); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	if got := (domain.Call{Address: "10.0.0.1", SharedAddress: true}).Network(); got != "" {
		t.Errorf("a shared address counts under %q", got)
	}
}

func TestSubscriberOfACall(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.1":         "192.0.2.1",
		"::ffff:192.0.2.1":  "192.0.2.1",
		"2001:db8:1:2::1":   "2001:db8:1::/48",
		"2001:db8:1:ff00::": "2001:db8:1::/48",
		"2001:db8:2:2::1":   "2001:db8:2::/48",
		"unix":              "",
	} {
		if got := (domain.Call{Address: address}).Subscriber(); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	if got := (domain.Call{Address: "10.0.0.1", SharedAddress: true}).Subscriber(); got != "" {
		t.Errorf("a shared address takes turns as %q", got)
	}
}
