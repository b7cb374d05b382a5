package main

import (
	"net"
	"net/netip"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/graph/edge"
)

// examineProxies looks at how the caller's address is found. A server in prod that listens on an internal address has a
// proxy before it, which must be trusted, or throttles by address are off (EDGE-5).
func examineProxies(config *program.Config) finding {
	host, _, err := net.SplitHostPort(config.Listen)
	address, addressErr := netip.ParseAddr(host)
	if host == "localhost" {
		address, addressErr = netip.IPv6Loopback(), nil
	}
	onlyProxies := err == nil && addressErr == nil && edge.Internal(address)
	const advice = "set " + program.SettingProxies + " to the proxy's network, for a proxy on this machine to loopback"
	switch {
	case len(config.TrustedProxies) == 0 && config.Prod && onlyProxies:
		return finding{
			note, "proxies", program.SettingListen + " is an internal address and no proxy is trusted: callers are told apart by their " +
				"credentials alone, and throttles by address are off", advice,
		}
	case len(config.TrustedProxies) == 0 && config.Prod:
		return finding{
			fine, "proxies", "none is trusted: the caller's address is that of the connection; throttles by address are off for " +
				"internal addresses", "",
		}
	case len(config.TrustedProxies) == 0:
		return finding{verdict: fine, about: "proxies", found: "none is trusted: the caller's address is that of the connection"}
	case config.Prod && onlyProxies && address.IsLoopback() && !config.TrustedProxies.Contain(address.Unmap()):
		return finding{
			note, "proxies", program.SettingListen + " is a loopback address, and " + program.SettingProxies +
				" does not contain it: throttles by " +
				"address are off", advice,
		}
	}
	return finding{
		verdict: fine, about: "proxies",
		found: "X-Forwarded-For, or else Forwarded, names the caller's address if the connection comes from " +
			config.TrustedProxies.String(),
	}
}
