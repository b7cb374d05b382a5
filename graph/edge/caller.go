package edge

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Caller is the origin of a request (EDGE-4).
type Caller struct {
	// Address has no zone, and IPv4-mapped addresses are unmapped. It is invalid only if the connection has no IP
	// address.
	Address netip.Addr
	// Unnamed is true if the address belongs to an internal peer that did not name its client: a proxy that is not
	// trusted, or that sends no header. Many callers may then share the address.
	Unnamed bool
}

// String returns the address, or "" if there is none.
func (c Caller) String() string {
	if !c.Address.IsValid() {
		return ""
	}
	return c.Address.String()
}

// CallerOf returns the caller's address: the peer's or, if the peer is a trusted proxy, the last address in
// X-Forwarded-For that is not a trusted proxy's. Forwarded is read only without X-Forwarded-For, because a proxy that
// writes one of them passes the client's other header on.
func (p Proxies) CallerOf(r *http.Request) Caller {
	peer, ok := parseNode(r.RemoteAddr)
	if !ok {
		return Caller{}
	}
	if !p.Contain(peer) {
		return Caller{Address: peer, Unnamed: Internal(peer)}
	}
	entries, read := entriesOf(r.Header.Values("X-Forwarded-For"), splitPlain), parseNode
	if len(r.Header.Values("X-Forwarded-For")) == 0 {
		entries, read = entriesOf(r.Header.Values("Forwarded"), splitElements), clientOfForwarded
	}
	address, named := p.walk(peer, entries, read)
	return Caller{Address: address, Unnamed: !named && Internal(address)}
}

// walk returns the first address that is not a trusted proxy's, from the last entry (the nearest hop) to the first. It
// stops at an entry without an address. A client can forge everything before these.
func (p Proxies) walk(peer netip.Addr, entries []string, client func(entry string) (netip.Addr, bool)) (netip.Addr, bool) {
	nearest, named := peer, false
	for _, entry := range slices.Backward(entries) {
		address, ok := client(entry)
		if !ok {
			break
		}
		if nearest, named = address, true; !p.Contain(address) {
			break
		}
	}
	return nearest, named
}

// entriesOf returns the entries of all lines of a header in order, without empty entries (RFC 9110, 5.6.1).
func entriesOf(lines []string, split func(string) []string) []string {
	var entries []string
	for _, line := range lines {
		for _, entry := range split(line) {
			if entry = strings.TrimSpace(entry); entry != "" {
				entries = append(entries, entry)
			}
		}
	}
	return entries
}

// splitPlain splits X-Forwarded-For, which has no quoting.
func splitPlain(line string) []string { return strings.Split(line, ",") }

func splitElements(line string) []string { return splitQuoted(line, ',') }

// clientOfForwarded parses the parameter "for" of an element of Forwarded (RFC 7239). It returns false if the parameter
// is missing, repeated or an obfuscated identifier.
func clientOfForwarded(element string) (address netip.Addr, ok bool) {
	found := false
	for _, pair := range splitQuoted(element, ';') {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "for") {
			continue
		}
		if found {
			return netip.Addr{}, false
		}
		found = true
		if address, ok = parseNode(unquoted(strings.TrimSpace(value))); !ok {
			return netip.Addr{}, false
		}
	}
	return address, found
}

// parseNode parses an address with or without a port. An IPv6 address with a port has brackets.
func parseNode(text string) (netip.Addr, bool) {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return normalized(with.Addr()), true
	}
	if inside, ok := strings.CutPrefix(text, "["); ok {
		if inside, ok = strings.CutSuffix(inside, "]"); !ok || !strings.Contains(inside, ":") {
			return netip.Addr{}, false
		}
		text = inside
	}
	address, err := netip.ParseAddr(text)
	return normalized(address), err == nil
}
