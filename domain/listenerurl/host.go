package listenerurl

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Limits of RFC 1035, counted without the trailing dot.
const (
	maxNameBytes  = 253
	maxLabelBytes = 63
)

// host is a host in the one spelling that is checked, dialed and sent.
type host struct {
	name    string
	address netip.Addr // valid when the host is an IP literal
}

func literal(addr netip.Addr) host {
	addr = addr.Unmap()
	return host{name: addr.String(), address: addr}
}

// canonicalHost maps the host as the HTTP client will map it and checks its spelling. It does not decide whether the
// host may be called.
func canonicalHost(parsed *url.URL) (host, error) {
	if strings.HasPrefix(parsed.Host, "[") {
		return bracketed(parsed.Hostname())
	}
	name, err := toASCII(parsed.Hostname())
	if err != nil {
		return host{}, err
	}
	withoutDot := strings.TrimSuffix(name, ".")
	if err := checkLabels(withoutDot); err != nil {
		return host{}, err
	}
	if last := withoutDot[strings.LastIndexByte(withoutDot, '.')+1:]; !isDigit(last[0]) {
		return host{name: withoutDot}, nil
	}
	// Resolvers read 127.1, 0x7f000001 and 017700000001 as addresses, and no top-level domain starts with a digit, so
	// such a host is an address or nothing. A final dot makes it a name again for some, hence name here.
	addr, err := netip.ParseAddr(name)
	if err != nil {
		return host{}, refusal("A host that ends in a number must be an IPv4 address of four decimal numbers without leading zeros")
	}
	return literal(addr), nil
}

func bracketed(text string) (host, error) {
	addr, err := netip.ParseAddr(text)
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return host{}, refusal("Brackets are for an IPv6 address without a zone, such as https://[2001:4860:4860::8888]/")
	}
	return literal(addr), nil
}

// toASCII does what net/http does: plain ASCII is taken as it is, anything else goes through the IDNA mapping, which
// turns fullwidth and circled characters into the letters and digits that they look like.
func toASCII(name string) (string, error) {
	if isASCII(name) {
		return strings.ToLower(name), nil
	}
	mapped, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return "", refusal("The host contains characters that are not allowed in a domain name; check it or write its xn-- form")
	}
	return mapped, nil
}

// vanishes reports whether the IDNA mapping drops the character. The host shown would differ from the host called.
func vanishes(r rune) bool {
	mapped, err := mapping.ToUnicode(string(r))
	return err == nil && mapped == ""
}

var mapping = idna.New(idna.MapForLookup())

func checkLabels(name string) error {
	if len(name) > maxNameBytes {
		return refusal(fmt.Sprintf("The host must be at most %d bytes", maxNameBytes))
	}
	for label := range strings.SplitSeq(name, ".") {
		if err := checkLabel(label); err != nil {
			return err
		}
	}
	return nil
}

func checkLabel(label string) error {
	switch {
	case label == "":
		return refusal("The host has an empty part; separate its parts with single dots")
	case len(label) > maxLabelBytes:
		return refusal(fmt.Sprintf("Each part of the host must be at most %d bytes", maxLabelBytes))
	case strings.ContainsFunc(label, notInLabel):
		return refusal("The host may contain only letters, digits, hyphens, underscores and dots")
	case label[0] == '-' || label[len(label)-1] == '-':
		return refusal("A part of the host starts or ends with a hyphen")
	}
	if strings.HasPrefix(label, "xn--") {
		// A label that doesn't survive decoding and encoding is a disguise.
		if again, err := idna.Lookup.ToASCII(label); err != nil || again != label {
			return refusal("A part of the host that starts with xn-- is not a valid international name")
		}
	}
	return nil
}

// notInLabel reports whether a label can't contain a character. Underscores are allowed, because some public hosts have
// them and wildcard certificates cover them.
func notInLabel(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
