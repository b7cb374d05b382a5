package listenerurl

import (
	"fmt"
	"strings"
)

// reservedSuffixes are suffixes of names that public DNS does not resolve or that lead to internal addresses.
var reservedSuffixes = setOf(
	// Special-use names (IANA registry: RFC 6761, 6762, 7686, 8375, 9476). All
	// of arpa is infrastructure: home.arpa, reverse zones, resolver discovery.
	"alt", "arpa", "example", "invalid", "local", "localhost", "onion", "test",
	// Set aside for private use, or never to be delegated, by ICANN.
	"corp", "home", "internal", "mail",
	// Used on private networks (RFC 6762, appendix G) and by home routers.
	"intra", "intranet", "lan", "localnet", "priv", "private", "domain", "workgroup",
	"homenet", "homestation", "belkin", "dlink", "router", "gateway", "loopback",
	"fritz.box", "routerlogin.net", "routerlogin.com", "tplinkwifi.net", "speedport.ip",
	// Aliases of the local machine and of development tools.
	"localdomain", "localdev", "localtest", "devel", "development", "vm", "vagrant",
	"docker", "lxd", "incus", "orb", "podman", "minikube", "wsl",
	// Within clusters and service meshes.
	"svc", "cluster", "k8s", "kube", "kubernetes", "consul", "nomad", "mesos", "mesh", "rancher", "swarm",
	// Peer-to-peer and overlay names, never in the public DNS.
	"bit", "exit", "gnu", "i2p", "zkey",
	// Metadata services that have a public name.
	"metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com",
)

// developmentSuffixes belong to services whose names resolve to the local machine or to the address written in the
// name.
var developmentSuffixes = setOf(
	// The address is in the name.
	"nip.io", "nip.direct", "sslip.io", "xip.io", "xip.name", "backname.io", "ip6.name",
	"ipq.co", "nar0.com", "local-ip.co", "local-ip.sh", "local-ip.medicmobile.org", "plex.direct",
	"traefik.me", "getlocalcert.net", "localcert.net", "localhostcert.net",
	// Every name is the local machine.
	"localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "localho.st", "localhost.direct",
	"local.gd", "lo0.in", "fuf.me", "smackaho.st", "ulh.us", "127-0-0-1.org.uk",
	"lcl.host", "localdev.me", "ddev.site", "lndo.site", "docksal.site", "bosh-lite.com",
	"pcfdev.io", "localstack.cloud",
	// The address changes between two lookups.
	"1u.ms", "rbndr.us", "rebind.network", "rbnd.gl0.eu",
)

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// checkHost checks the part of the rule that Policy can lift.
func (p Policy) checkHost(h host) error {
	switch {
	case p.AllowPrivateAddresses:
		return nil
	case h.address.IsValid():
		return p.CheckAddress(h.address)
	}
	return checkName(h.name)
}

func checkName(name string) error {
	if !strings.Contains(name, ".") {
		return refusal("A name without a dot exists only on a private network; use a public domain name")
	}
	// Suffixes on label boundaries only: notnip.io and local.example.com pass.
	for suffix := name; suffix != ""; _, suffix, _ = strings.Cut(suffix, ".") {
		switch {
		case reservedSuffixes[suffix]:
			return refusal(fmt.Sprintf("Names under .%s are internal; use a public domain name", suffix))
		case developmentSuffixes[suffix]:
			return refusal(fmt.Sprintf(
				"Names under %s are for development and resolve to internal addresses; use a public domain name", suffix))
		}
	}
	return checkTopLevel(name[strings.LastIndexByte(name, '.')+1:])
}

// checkTopLevel checks the form that ICANN requires of top-level domains: two or more letters, or an international
// label.
func checkTopLevel(label string) error {
	letters := !strings.ContainsFunc(label, func(r rune) bool { return r < 'a' || r > 'z' })
	if strings.HasPrefix(label, "xn--") || letters && len(label) > 1 {
		return nil
	}
	return refusal("The host does not end in a public top-level domain such as .com")
}
