package edge

import (
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks whose information about the caller's address is trusted. The zero value trusts none.
type Proxies []netip.Prefix

// namedNetworks maps the names that settings can use to networks.
var namedNetworks = map[string]Proxies{
	"loopback": {netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
	"private": {
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
		netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("fe80::/10"),
	},
}

// ParseProxies parses networks separated by commas: CIDRs, single addresses, and the names loopback and private. It
// refuses a network of all addresses, because any caller could then choose its address.
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

// parseNetwork parses a CIDR or a single address. IPv4-mapped IPv6 becomes IPv4, as in normalized addresses.
func parseNetwork(text string) (netip.Prefix, bool) {
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		address = normalized(address)
		return netip.PrefixFrom(address, address.BitLen()), true
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, false
	}
	const mapped = 96 // the bits before the IPv4 address
	if network.Addr().Is4In6() {
		if network.Bits() < mapped {
			return netip.Prefix{}, false
		}
		network = netip.PrefixFrom(network.Addr().Unmap(), network.Bits()-mapped)
	}
	return network.Masked(), true
}

// Contain reports whether an address belongs to one of the networks.
func (p Proxies) Contain(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// String returns the networks in the format of ParseProxies.
func (p Proxies) String() string {
	networks := make([]string, len(p))
	for i, network := range p {
		networks[i] = network.String()
	}
	return strings.Join(networks, ", ")
}

// Internal reports whether an address is loopback or private, like that of a proxy in front of the server.
func Internal(address netip.Addr) bool {
	return namedNetworks["loopback"].Contain(address) || namedNetworks["private"].Contain(address)
}

// normalized returns the canonical form of an address: IPv4 instead of IPv4-mapped, without a zone.
func normalized(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }
