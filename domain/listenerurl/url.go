package listenerurl

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxBytes is the length of the longest URL that may be configured.
const MaxBytes = 2048

// Policy says which parts of the rule are lifted. The zero value lifts nothing.
type Policy struct {
	// AllowPrivateAddresses admits internal names and addresses, for
	// development and tests. Scheme, user info, fragment and port keep their
	// rules, and so does the spelling of hosts (decisions 7.8).
	AllowPrivateAddresses bool
}

// URL is an approved listener URL. Only Parse makes one that is not empty.
type URL struct {
	written string
	target  url.URL
	host    host
	port    uint16
}

// String is the URL exactly as it was configured.
func (u URL) String() string { return u.written }

// Host is the ASCII host to put into SNI and Host: lower case, without a final
// dot, an IP address without brackets.
func (u URL) Host() string { return u.host.name }

// Address is the address of a URL whose host is an IP literal; for a name it is
// the invalid zero Addr.
func (u URL) Address() netip.Addr { return u.host.address }

// Port is the port to dial, the scheme's own when none was written.
func (u URL) Port() uint16 { return u.port }

// Target is the URL in the form that a request needs: the canonical host in
// place of the one written, and what a request line can't hold escaped in path
// and query, which are otherwise unchanged (decisions 7.4). The caller owns the
// result.
func (u URL) Target() *url.URL {
	target := u.target
	return &target
}

// refusal is why a URL may not be called, in words for the person who typed it.
type refusal string

func (r refusal) Error() string { return string(r) }

// Parse approves a URL or says in one sentence what is wrong with it. The text
// of the error never repeats the URL, which may hold a secret.
func Parse(raw string, p Policy) (URL, error) {
	if err := checkText(raw); err != nil {
		return URL{}, err
	}
	parsed, err := url.Parse(raw)
	if err != nil {
		return URL{}, refusal("Not a valid URL; write it like https://example.com/hook")
	}
	if err := checkParts(raw, parsed); err != nil {
		return URL{}, err
	}
	port, err := portOf(parsed)
	if err != nil {
		return URL{}, err
	}
	h, err := canonicalHost(parsed)
	if err != nil {
		return URL{}, err
	}
	if err := p.checkHost(h); err != nil {
		return URL{}, err
	}
	if strings.ContainsFunc(raw, isInvisible) || strings.ContainsFunc(parsed.Hostname(), vanishes) {
		return URL{}, refusal("The URL contains an invisible character; remove it or percent-encode it")
	}
	return URL{written: raw, target: target(parsed, h, port), host: h, port: port}, nil
}

// checkText refuses what URL parsers are known to disagree about: some drop
// tabs and newlines, some read a backslash as a slash.
func checkText(raw string) error {
	switch {
	case raw == "":
		return refusal("A URL is required, such as https://example.com/hook")
	case len(raw) > MaxBytes:
		return refusal(fmt.Sprintf("The URL has %d bytes; %d is the most", len(raw), MaxBytes))
	case !utf8.ValidString(raw):
		return refusal("The URL is not valid UTF-8; percent-encode other bytes")
	case strings.ContainsFunc(raw, unicode.IsControl):
		return refusal("The URL contains a control character; remove it")
	case strings.ContainsFunc(raw, unicode.IsSpace):
		return refusal("The URL contains white space; write %20 for a space")
	case strings.Contains(raw, `\`):
		return refusal("The URL contains a backslash; use / between path segments or write %5C")
	}
	return nil
}

// isInvisible tells of characters that change how a URL looks and not what it calls, such as those that turn the direction of
// writing around. The two joiners stay: words and emoji are written with them, and in a host IDNA knows where they belong.
func isInvisible(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return unicode.Is(unicode.Cf, r) && r != nonJoiner && r != joiner
}

func checkParts(raw string, parsed *url.URL) error {
	// The scheme came out of a successful parse, so what follows it is a colon.
	authority, hasAuthority := strings.CutPrefix(raw[min(len(raw), len(parsed.Scheme)+1):], "//")
	if end := strings.IndexAny(authority, "/?#"); end >= 0 {
		authority = authority[:end]
	}
	switch {
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return refusal("The URL must start with https:// or http://")
	case !hasAuthority || authority == "":
		return refusal("The URL has no host; write it like https://example.com/hook")
	case parsed.User != nil:
		return refusal("User name and password are not allowed in the URL; check the signature at the listener instead")
	case strings.Contains(raw, "#"):
		return refusal("A fragment (#) is never sent to a listener; remove it or write %23")
	case strings.Contains(authority, "%"):
		// Also refuses IPv6 zones: an address that needs one is not global.
		return refusal("The host contains a percent escape; write its characters as they are")
	case strings.HasSuffix(authority, ":"):
		return refusal("The port after the colon is missing; add it or remove the colon")
	}
	return nil
}

// target rebuilds the parsed URL around the canonical host. The scheme's own
// port is left out, as other HTTP clients leave it out of Host.
func target(parsed *url.URL, h host, port uint16) url.URL {
	t := *parsed
	t.Host = h.name
	if h.address.Is6() {
		t.Host = "[" + h.name + "]"
	}
	if port != defaultPort(parsed.Scheme) {
		t.Host = fmt.Sprintf("%s:%d", t.Host, port)
	}
	// Of two spellings of a path net/url writes its own as soon as one character of it has to be escaped, and takes an escaped
	// slash for one that parts segments.
	t.RawPath = escape(cmp.Or(parsed.RawPath, parsed.EscapedPath()), "\"<>^`{|}")
	t.RawQuery = escape(parsed.RawQuery, "")
	return t
}

// escape percent-encodes what a request line can't hold, bytes that are not ASCII and some that are, and leaves the rest as it
// is written.
func escape(text, ascii string) string {
	var b strings.Builder
	for i := range len(text) {
		if text[i] < utf8.RuneSelf && strings.IndexByte(ascii, text[i]) < 0 {
			b.WriteByte(text[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", text[i])
		}
	}
	return b.String()
}
