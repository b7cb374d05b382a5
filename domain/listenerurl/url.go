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

// MaxBytes is the maximum length of a URL.
const MaxBytes = 2048

// Policy says which parts of the rule are lifted. The zero value lifts nothing.
type Policy struct {
	// AllowPrivateAddresses allows internal names and addresses, for development and tests. The rules on scheme, user
	// info, fragment, port and the spelling of hosts still apply.
	AllowPrivateAddresses bool
}

// URL is an approved listener URL. Only Parse returns one that is not empty.
type URL struct {
	written string
	target  url.URL
	host    host
	port    uint16
}

// String returns the URL exactly as it was configured.
func (u URL) String() string { return u.written }

// Host returns the ASCII host for SNI and the Host header: lower case, without a trailing dot, an IP address without
// brackets.
func (u URL) Host() string { return u.host.name }

// Address returns the address of a URL whose host is an IP literal, otherwise the zero Addr.
func (u URL) Address() netip.Addr { return u.host.address }

// Port returns the port to dial, by default the scheme's own.
func (u URL) Port() uint16 { return u.port }

// Target returns the URL for the request. It has the canonical host, and characters of path and query that a request
// line can't contain are escaped; otherwise they are unchanged. The caller owns the result.
func (u URL) Target() *url.URL {
	target := u.target
	return &target
}

// refusal is why a URL may not be called, as a message for the user who entered it.
type refusal string

func (r refusal) Error() string { return string(r) }

// Parse approves a URL, or returns an error that explains the refusal in one sentence. The message never contains the
// URL, which may hold a secret.
func Parse(raw string, p Policy) (URL, error) {
	if err := checkText(raw); err != nil {
		return URL{}, err
	}
	parsed, err := url.Parse(raw)
	if err != nil {
		return URL{}, refusal("The URL is not valid; write it like https://example.com/hook")
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

// checkText refuses characters that URL parsers treat differently: some drop tabs and newlines, some read a backslash
// as a slash.
func checkText(raw string) error {
	switch {
	case raw == "":
		return refusal("A URL is required, such as https://example.com/hook")
	case len(raw) > MaxBytes:
		return refusal(fmt.Sprintf("The URL must be at most %d bytes, not %d", MaxBytes, len(raw)))
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

// isInvisible reports whether a character changes how a URL looks but not what it calls, such as a change of writing
// direction. The two joiners are not invisible: words and emoji contain them, and IDNA checks them in hosts.
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
		return refusal("The URL must not contain a user name or password; verify the signature at the listener instead")
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

// target rebuilds the parsed URL around the canonical host. It omits the scheme's default port, as other HTTP clients
// do in the Host header.
func target(parsed *url.URL, h host, port uint16) url.URL {
	t := *parsed
	t.Host = h.name
	if h.address.Is6() {
		t.Host = "[" + h.name + "]"
	}
	if port != defaultPort(parsed.Scheme) {
		t.Host = fmt.Sprintf("%s:%d", t.Host, port)
	}
	// net/url ignores RawPath as soon as one of its characters must be escaped, and then treats an escaped slash as a
	// separator.
	t.RawPath = escape(cmp.Or(parsed.RawPath, parsed.EscapedPath()), "\"<>^`{|}")
	t.RawQuery = escape(parsed.RawQuery, "")
	return t
}

// escape percent-encodes all bytes that are not ASCII and the given ASCII characters, which a request line can't
// contain.
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
