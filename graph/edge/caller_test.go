package edge

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// headers holds the lines of X-Forwarded-For or Forwarded.
type headers = http.Header

func forwardedFor(lines ...string) headers { return headers{"X-Forwarded-For": lines} }

func forwarded(lines ...string) headers { return headers{"Forwarded": lines} }

func TestCallersAddress(t *testing.T) {
	for name, row := range map[string]struct {
		trusted, peer string
		header        headers
		want          string
		unnamed       bool
	}{
		// Trust in the peer.
		"a peer that is not trusted":              {"10.0.0.0/8", "203.0.113.9:4711", forwardedFor("198.51.100.1"), "203.0.113.9", false},
		"a peer, and no trusted networks":         {"", "203.0.113.9:4711", forwardedFor("198.51.100.1"), "203.0.113.9", false},
		"Forwarded of a peer that is not trusted": {"", "203.0.113.9:4711", forwarded("for=198.51.100.1"), "203.0.113.9", false},
		"an internal peer that is not trusted":    {"", "127.0.0.1:4711", forwardedFor("198.51.100.1"), "127.0.0.1", true},
		"a private peer that is not trusted":      {"loopback", "10.1.2.3:4711", forwardedFor("198.51.100.1"), "10.1.2.3", true},
		"a private IPv6 peer not trusted":         {"loopback", "[fd00::1]:4711", nil, "fd00::1", true},
		"a link-local peer, without its zone":     {"", "[fe80::1%eth0]:4711", nil, "fe80::1", true},
		"a trusted peer":                          {"loopback", "127.0.0.1:4711", forwardedFor("198.51.100.1"), "198.51.100.1", false},
		"a trusted peer by IPv6":                  {"loopback", "[::1]:4711", forwardedFor("198.51.100.1"), "198.51.100.1", false},
		"a trusted peer, IPv4 as IPv6":            {"loopback", "[::ffff:127.0.0.1]:4711", forwardedFor("198.51.100.1"), "198.51.100.1", false},
		"a trusted peer with a zone":              {"private", "[fe80::1%eth0]:4711", forwardedFor("198.51.100.1"), "198.51.100.1", false},
		"a trusted peer without a header":         {"loopback", "127.0.0.1:4711", nil, "127.0.0.1", true},
		"a trusted public peer without a header":  {"192.0.2.7", "192.0.2.7:4711", nil, "192.0.2.7", false},
		"a peer without an address":               {"loopback", "@", forwardedFor("198.51.100.1"), "", false},
		"a peer without a port":                   {"loopback", "127.0.0.1", forwardedFor("198.51.100.1"), "198.51.100.1", false},

		// Choice of the entry.
		"the last entry":                      {"loopback", "127.0.0.1:1", forwardedFor("6.6.6.6, 198.51.100.1"), "198.51.100.1", false},
		"the last that is not trusted":        {"loopback,private", "127.0.0.1:1", forwardedFor("6.6.6.6, 198.51.100.1, 10.0.0.7,10.0.0.8"), "198.51.100.1", false},
		"several lines":                       {"loopback", "127.0.0.1:1", forwardedFor("6.6.6.6", "7.7.7.7, 198.51.100.1"), "198.51.100.1", false},
		"several lines, the last trusted":     {"loopback,private", "127.0.0.1:1", forwardedFor("6.6.6.6, 198.51.100.1", "10.0.0.8"), "198.51.100.1", false},
		"all trusted: the first":              {"private", "10.0.0.9:1", forwardedFor("10.0.0.5, 10.0.0.8"), "10.0.0.5", false},
		"an entry that looks like the peer":   {"loopback", "127.0.0.1:1", forwardedFor("198.51.100.1, 127.0.0.1"), "198.51.100.1", false},
		"empty entries":                       {"loopback", "127.0.0.1:1", forwardedFor("198.51.100.1,, ,"), "198.51.100.1", false},
		"an empty header":                     {"loopback", "127.0.0.1:1", forwardedFor(""), "127.0.0.1", true},
		"an empty line after a full one":      {"loopback", "127.0.0.1:1", forwardedFor("198.51.100.1", ""), "198.51.100.1", false},
		"spaces and tabs":                     {"loopback", "127.0.0.1:1", forwardedFor("6.6.6.6 ,\t 198.51.100.1 "), "198.51.100.1", false},
		"an invalid last entry":               {"loopback", "127.0.0.1:1", forwardedFor("198.51.100.1, unknown"), "127.0.0.1", true},
		"an invalid entry behind a proxy":     {"loopback,private", "127.0.0.1:1", forwardedFor("198.51.100.1, <script>, 10.0.0.8"), "10.0.0.8", false},
		"an invalid entry before the client":  {"loopback", "127.0.0.1:1", forwardedFor("<script>, 198.51.100.1"), "198.51.100.1", false},
		"an unterminated quote before":        {"loopback", "127.0.0.1:1", forwardedFor(`"6.6.6.6`, "198.51.100.1"), "198.51.100.1", false},
		"an open quote in the same line":      {"loopback", "127.0.0.1:1", forwardedFor(`"6.6.6.6, ,, 198.51.100.1`), "198.51.100.1", false},
		"in quotes, which are invalid":        {"loopback", "127.0.0.1:1", forwardedFor(`"198.51.100.1"`), "127.0.0.1", true},
		"a name":                              {"loopback", "127.0.0.1:1", forwardedFor("client.example"), "127.0.0.1", true},
		"an address with leading zeros":       {"loopback", "127.0.0.1:1", forwardedFor("198.051.100.1"), "127.0.0.1", true},
		"a number":                            {"loopback", "127.0.0.1:1", forwardedFor("3325256705"), "127.0.0.1", true},
		"a network":                           {"loopback", "127.0.0.1:1", forwardedFor("198.51.100.0/24"), "127.0.0.1", true},
		"with a port":                         {"loopback", "127.0.0.1:1", forwardedFor("198.51.100.1:65535"), "198.51.100.1", false},
		"with an invalid port":                {"loopback", "127.0.0.1:1", forwardedFor("198.51.100.1:65536"), "127.0.0.1", true},
		"IPv6":                                {"loopback", "127.0.0.1:1", forwardedFor("2001:DB8::0:1"), "2001:db8::1", false},
		"IPv6 in brackets":                    {"loopback", "127.0.0.1:1", forwardedFor("[2001:db8::1]"), "2001:db8::1", false},
		"IPv6 with a port":                    {"loopback", "127.0.0.1:1", forwardedFor("[2001:db8::1]:443"), "2001:db8::1", false},
		"IPv6 with a zone":                    {"loopback", "127.0.0.1:1", forwardedFor("fe80::1%eth0"), "fe80::1", false},
		"IPv4 as IPv6":                        {"loopback", "127.0.0.1:1", forwardedFor("::ffff:198.51.100.1"), "198.51.100.1", false},
		"a trusted proxy, IPv4 as IPv6":       {"private,loopback", "127.0.0.1:1", forwardedFor("198.51.100.1, ::ffff:10.0.0.1"), "198.51.100.1", false},
		"IPv4 in brackets":                    {"loopback", "127.0.0.1:1", forwardedFor("[198.51.100.1]"), "127.0.0.1", true},
		"an open bracket":                     {"loopback", "127.0.0.1:1", forwardedFor("[2001:db8::1"), "127.0.0.1", true},
		"the unspecified address is a caller": {"loopback", "127.0.0.1:1", forwardedFor("0.0.0.0"), "0.0.0.0", false},

		// Forwarded.
		"Forwarded":                              {"loopback", "127.0.0.1:1", forwarded("for=198.51.100.1"), "198.51.100.1", false},
		"Forwarded, in another case":             {"loopback", "127.0.0.1:1", forwarded("Proto=https;FOR=198.51.100.1;by=203.0.113.43"), "198.51.100.1", false},
		"Forwarded, quoted":                      {"loopback", "127.0.0.1:1", forwarded(`for="198.51.100.1"`), "198.51.100.1", false},
		"Forwarded, quoted with a port":          {"loopback", "127.0.0.1:1", forwarded(`for="198.51.100.1:4711"`), "198.51.100.1", false},
		"Forwarded, quoted IPv6":                 {"loopback", "127.0.0.1:1", forwarded(`for="[2001:db8::1]"`), "2001:db8::1", false},
		"Forwarded, quoted IPv6 with a port":     {"loopback", "127.0.0.1:1", forwarded(`For="[2001:db8:cafe::17]:4711"`), "2001:db8:cafe::17", false},
		"Forwarded, quoted with escapes":         {"loopback", "127.0.0.1:1", forwarded(`for="\[2001:db8::1\]"`), "2001:db8::1", false},
		"Forwarded, several elements":            {"loopback", "127.0.0.1:1", forwarded(`for=6.6.6.6, for=198.51.100.1;proto=http`), "198.51.100.1", false},
		"Forwarded, several lines":               {"loopback,private", "127.0.0.1:1", forwarded(`for=6.6.6.6`, `for=198.51.100.1`, `for="[fd00::1]"`), "198.51.100.1", false},
		"Forwarded, a comma in quotes":           {"loopback", "127.0.0.1:1", forwarded(`for=198.51.100.1;host="a,for=6.6.6.6"`), "198.51.100.1", false},
		"Forwarded, a semicolon in quotes":       {"loopback", "127.0.0.1:1", forwarded(`host="a;for=6.6.6.6";for=198.51.100.1`), "198.51.100.1", false},
		"Forwarded, spaces":                      {"loopback", "127.0.0.1:1", forwarded(`proto=https ; for = 198.51.100.1`), "198.51.100.1", false},
		"Forwarded, unknown":                     {"loopback", "127.0.0.1:1", forwarded(`for=198.51.100.1, for=unknown`), "127.0.0.1", true},
		"Forwarded, obfuscated":                  {"loopback", "127.0.0.1:1", forwarded(`for=198.51.100.1, for=_hidden`), "127.0.0.1", true},
		"Forwarded, without for":                 {"loopback", "127.0.0.1:1", forwarded(`for=198.51.100.1, proto=https`), "127.0.0.1", true},
		"Forwarded, two for":                     {"loopback", "127.0.0.1:1", forwarded(`for=198.51.100.1;for=198.51.100.2`), "127.0.0.1", true},
		"Forwarded, an unterminated quote":       {"loopback", "127.0.0.1:1", forwarded(`for="198.51.100.1`), "127.0.0.1", true},
		"Forwarded, a client's line before it":   {"loopback", "127.0.0.1:1", forwarded(`for="6.6.6.6`, `for=198.51.100.1`), "198.51.100.1", false},
		"Forwarded, a client's open quote":       {"loopback", "127.0.0.1:1", forwarded(`for="6.6.6.6, for=198.51.100.1`), "198.51.100.1", false},
		"Forwarded, an open quote before quotes": {"loopback", "127.0.0.1:1", forwarded(`for="6.6.6.6, for="[2001:db8::1]:9"`), "2001:db8::1", false},
		"Forwarded, an escaped quote":            {"loopback", "127.0.0.1:1", forwarded(`for=198.51.100.1;host="a\",for=6.6.6.6"`), "198.51.100.1", false},
		"Forwarded, an escaped backslash":        {"loopback", "127.0.0.1:1", forwarded(`host="a\\",for=198.51.100.1`), "198.51.100.1", false},

		// Both headers.
		"both: X-Forwarded-For": {
			"loopback", "127.0.0.1:1",
			headers{"X-Forwarded-For": {"198.51.100.1"}, "Forwarded": {"for=6.6.6.6"}},
			"198.51.100.1", false,
		},
		"both: X-Forwarded-For without an address": {
			"loopback", "127.0.0.1:1",
			headers{"X-Forwarded-For": {"unknown"}, "Forwarded": {"for=6.6.6.6"}},
			"127.0.0.1", true,
		},
		"other headers": {
			"loopback", "127.0.0.1:1",
			headers{"X-Real-Ip": {"6.6.6.6"}, "Cf-Connecting-Ip": {"6.6.6.6"}, "True-Client-Ip": {"6.6.6.6"}},
			"127.0.0.1", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var proxies Proxies
			if row.trusted != "" {
				var ok bool
				if proxies, ok = ParseProxies(row.trusted); !ok {
					t.Fatalf("%q is not accepted", row.trusted)
				}
			}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.RemoteAddr = row.peer
			r.Header = row.header
			got := proxies.CallerOf(r)
			if got.String() != row.want || got.Unnamed != row.unnamed {
				t.Errorf("%q, unnamed %t; want %q, %t", got, got.Unnamed, row.want, row.unnamed)
			}
		})
	}
}

func TestParseProxies(t *testing.T) {
	for text, want := range map[string]string{
		"loopback":                    "127.0.0.0/8, ::1/128",
		"Loopback":                    "127.0.0.0/8, ::1/128",
		"10.0.0.0/8":                  "10.0.0.0/8",
		"10.1.2.3/8":                  "10.0.0.0/8",
		"192.0.2.7":                   "192.0.2.7/32",
		"2001:db8::7, 2001:db8::/32":  "2001:db8::7/128, 2001:db8::/32",
		" 192.0.2.7 ,198.51.100.0/24": "192.0.2.7/32, 198.51.100.0/24",
		"::ffff:192.0.2.7":            "192.0.2.7/32",
		"::ffff:10.0.0.0/104":         "10.0.0.0/8",
		"private":                     "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, fc00::/7, fe80::/10",
	} {
		if got, ok := ParseProxies(text); got.String() != want || !ok {
			t.Errorf("%q: %s, %t", text, got, ok)
		}
	}
	for _, text := range []string{
		"", ",", "loopback,", "0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "::ffff:0:0/90", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "proxy.example",
		"10.0.0.0/8;loopback", "10.0.0.0/8 loopback", "fe80::1%eth0", "fe80::/10%eth0", "10.0.0.1:80", "[::1]", "*", "all",
	} {
		if got, ok := ParseProxies(text); ok {
			t.Errorf("%q is accepted as %s", text, got)
		}
	}
}

func TestInternalAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1": true, "127.255.255.254": true, "::1": true, "10.0.0.1": true, "172.31.0.1": true, "172.32.0.1": false,
		"192.168.1.1": true, "169.254.1.1": true, "fd12::1": true, "fe80::1": true, "8.8.8.8": false, "2001:db8::1": false,
		"100.64.0.1": false,
	} {
		address, ok := parseNode(text)
		if !ok || Internal(address) != want {
			t.Errorf("%s: %t, %t", text, ok, Internal(address))
		}
	}
}
