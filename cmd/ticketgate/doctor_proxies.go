package main

import (
	"net"
	"net/netip"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/graph/edge"
)

// examineProxies checks how the caller's address is determined. If a server in prod listens on an internal address, it
// is behind a proxy. If that proxy is not trusted, throttles by address are off (EDGE-5).
func examineProxies(config *program.Config) finding {
	host, _, err := net.SplitHostPort(config.Listen)
	address, addressErr := netip.ParseAddr(host)
	if host == "localhost" {
		address, addressErr = netip.IPv6Loopback(), nil
	}
	onlyProxies := err == nil && addressErr == nil && edge.Internal(address)
	const advice = "set " + program.SettingProxies + " to the proxy's network, or to loopback for a proxy on this machine"
	switch {
	case len(config.TrustedProxies) == 0 && config.Prod && onlyProxies:
		return finding{
			note, "proxies", program.SettingListen + " is an internal address and no proxy is trusted: callers are distinguished by " +
				"credential only, and throttles by address are off", advice,
		}
	case len(config.TrustedProxies) == 0 && config.Prod:
		return finding{
			fine, "proxies", "no trusted proxies: the caller's address is the connection's; throttles by address are off for " +
				"internal addresses", "",
		}
	case len(config.TrustedProxies) == 0:
		return finding{verdict: fine, about: "proxies", found: "no trusted proxies: the caller's address is the connection's"}
	case config.Prod && onlyProxies && address.IsLoopback() && !config.TrustedProxies.Contain(address.Unmap()):
		return finding{
			note, "proxies", program.SettingListen + " is a loopback address that " + program.SettingProxies +
				" does not contain: throttles by " +
				"address are off", advice,
		}
	}
	return finding{
		verdict: fine, about: "proxies",
		found: "the caller's address is taken from X-Forwarded-For, or else Forwarded, if the connection comes from " +
			config.TrustedProxies.String(),
	}
}
