package listenerurl

import "net/netip"

// specialIPv4 lists the IPv4 blocks that are not public unicast: the whole IANA registry of special-purpose blocks,
// including those marked globally reachable, because no listener runs in them; then multicast and class E.
var specialIPv4 = prefixes(
	"0.0.0.0/8",       // this network: Linux connects 0.0.0.0 to itself
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // carrier-grade NAT; holds Alibaba's metadata address
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local; metadata of most clouds
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocol assignments; held Oracle's metadata address
	"192.0.2.0/24",    // documentation
	"192.31.196.0/24", // AS112
	"192.52.193.0/24", // multicast tunnels
	"192.88.99.0/24",  // 6to4 relays, retired
	"192.168.0.0/16",  // private
	"192.175.48.0/24", // AS112
	"198.18.0.0/15",   // benchmarking
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, with the broadcast address
	// Public by registry, internal by use: each is reachable only from within the cloud of its owner.
	"168.63.129.16/32", // Azure's host agent
	"161.26.0.0/16",    // IBM Cloud's infrastructure services
	"166.8.0.0/14",     // IBM Cloud's private endpoints
)

// globalIPv6 is the only part of IPv6 that is allocated for global unicast. What lies outside (loopback, link-local,
// site-local, unique local, multicast, NAT64, IPv4-compatible and IPv4-translated addresses, segment routing) is
// refused without being listed.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// specialIPv6 are the exceptions inside globalIPv6.
var specialIPv6 = prefixes(
	"2001::/23",         // protocol assignments: Teredo, benchmarking, ORCHID, AMT, AS112
	"2001:db8::/32",     // documentation
	"2002::/16",         // 6to4 carries any IPv4 address
	"2620:4f:8000::/48", // AS112
	"3fff::/20",         // documentation
)

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// AllowedAddress reports whether an address is public unicast. An IPv4-mapped IPv6 address is judged as the IPv4
// address that will be reached.
func AllowedAddress(addr netip.Addr) bool {
	addr = addr.Unmap()
	switch {
	case !addr.IsValid() || addr.Zone() != "":
		return false
	case addr.Is4():
		return !within(addr, specialIPv4)
	}
	return globalIPv6.Contains(addr) && !within(addr, specialIPv6)
}

func within(addr netip.Addr, list []netip.Prefix) bool {
	for _, prefix := range list {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// CheckAddress returns an error if the address may not be dialed. The message does not contain the address, because it
// may be shown to the owner of the name that resolves to it.
func (p Policy) CheckAddress(addr netip.Addr) error {
	if p.AllowPrivateAddresses && addr.IsValid() || AllowedAddress(addr) {
		return nil
	}
	return refusal("The address is internal or reserved; only public addresses are allowed")
}
