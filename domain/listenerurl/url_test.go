package listenerurl_test

import (
	_ "embed"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"ticketgate/domain/listenerurl"
)

//go:embed testdata/urls.tsv
var urlRows string

type urlRow struct {
	accept bool
	url    string
	words  string // part of the expected message
}

func readRows(t testing.TB) []urlRow {
	t.Helper()
	var rows []urlRow
	for line := range strings.SplitSeq(strings.TrimSuffix(urlRows, "\n"), "\n") {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		columns := append(strings.Split(line, "\t"), "", "")
		row := urlRow{accept: columns[0] == "accept", url: columns[1], words: columns[2]}
		if strings.HasPrefix(row.url, `"`) {
			text, err := strconv.Unquote(row.url)
			if err != nil {
				t.Fatalf("%s: %v", row.url, err)
			}
			row.url = text
		}
		rows = append(rows, row)
	}
	return rows
}

func TestEveryRow(t *testing.T) {
	rows := readRows(t)
	if len(rows) < 550 {
		t.Fatalf("only %d rows were read", len(rows))
	}
	for _, row := range rows {
		approved, err := listenerurl.Parse(row.url, listenerurl.Policy{})
		switch {
		case row.accept && err != nil:
			t.Errorf("refused %q: %v", row.url, err)
		case row.accept && approved.String() != row.url:
			t.Errorf("%q became %q", row.url, approved)
		case !row.accept && err == nil:
			t.Errorf("accepted %q", row.url)
		case !row.accept && !strings.Contains(err.Error(), row.words):
			t.Errorf("refused %q because %q, not because %q", row.url, err, row.words)
		}
	}
}

func TestApprovedURLParts(t *testing.T) {
	for _, c := range []struct {
		raw, host string
		port      uint16
		target    string
	}{
		{"https://example.com./hook", "example.com", 443, "https://example.com/hook"},
		{"HTTP://EXAMPLE.com", "example.com", 80, "http://example.com"},
		{"http://example.com:80/", "example.com", 80, "http://example.com/"},
		{"http://example.com:443/", "example.com", 443, "http://example.com:443/"},
		{"https://example.com/é%2Fb/%7e%41\"|{id}", "example.com", 443, "https://example.com/%C3%A9%2Fb/%7e%41%22%7C%7Bid%7D"},
		{"https://example.com/a%2fb/<c>^`//d;e=1,!*'()", "example.com", 443, "https://example.com/a%2fb/%3Cc%3E%5E%60//d;e=1,!*'()"},
		{"https://日本語.jp:8443/a%2Fb?x=%zz", "xn--wgv71a119e.jp", 8443, "https://xn--wgv71a119e.jp:8443/a%2Fb?x=%zz"},
		{"https://straße.de/", "xn--strae-oqa.de", 443, "https://xn--strae-oqa.de/"},
		{"https://例え。jp/", "xn--r8jz45g.jp", 443, "https://xn--r8jz45g.jp/"},
		{"https://example.com/?q=ü&r=a+b%20c", "example.com", 443, "https://example.com/?q=%C3%BC&r=a+b%20c"},
		{"https://example.com/?", "example.com", 443, "https://example.com/?"},
		{"http://[2001:4860:4860:0:0:0:0:8888]:8080/", "2001:4860:4860::8888", 8080, "http://[2001:4860:4860::8888]:8080/"},
		{"http://[::ffff:8.8.8.8]/", "8.8.8.8", 80, "http://8.8.8.8/"},
		{"http://８.８.８.８/", "8.8.8.8", 80, "http://8.8.8.8/"},
	} {
		approved, err := listenerurl.Parse(c.raw, listenerurl.Policy{})
		if err != nil {
			t.Errorf("%s: %v", c.raw, err)
			continue
		}
		if approved.Host() != c.host || approved.Port() != c.port || approved.Target().String() != c.target {
			t.Errorf("%s: host %q, port %d, target %q", c.raw, approved.Host(), approved.Port(), approved.Target())
		}
		if literal, _ := netip.ParseAddr(c.host); approved.Address() != literal {
			t.Errorf("%s: address %v", c.raw, approved.Address())
		}
	}
}

func TestTargetBelongsToCaller(t *testing.T) {
	approved, err := listenerurl.Parse("https://example.com/hook", listenerurl.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	approved.Target().Host = "10.0.0.1"
	if got := approved.Target().Host; got != "example.com" {
		t.Errorf("a caller changed the approved host to %q", got)
	}
}

func TestOnlyPrivateAddressesCanBeAllowed(t *testing.T) {
	allow := listenerurl.Policy{AllowPrivateAddresses: true}
	for _, raw := range []string{
		"http://localhost:8080/", "http://127.0.0.1:9000/", "http://[::1]:9000/", "http://10.0.0.5/", "http://redis/",
		"http://web_1.local/", "http://db1/", "http://app.test/", "http://x.nip.io/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0:8000/",
	} {
		if _, err := listenerurl.Parse(raw, allow); err != nil {
			t.Errorf("refused %q: %v", raw, err)
		}
	}
	for _, raw := range []string{
		"ftp://localhost/", "http://user@localhost/", "http://@localhost/", "http://localhost/#x", "http://localhost:22/", "http://localhost:0/",
		"http://2130706433/", "http://127.1/", "http://[::1%25lo]/", "http://local host/", `http://localhost\x`, "http://-/", "http://[127.0.0.1]/", "",
	} {
		if _, err := listenerurl.Parse(raw, allow); err == nil {
			t.Errorf("accepted %q", raw)
		}
	}
}

func TestRefusalsAreSentencesWithoutSecrets(t *testing.T) {
	for _, row := range readRows(t) {
		_, err := listenerurl.Parse(row.url, listenerurl.Policy{})
		if err == nil {
			continue
		}
		text := err.Error()
		if len(text) < 30 || len(text) > 140 || strings.ToUpper(text[:1]) != text[:1] {
			t.Errorf("%q is not a sentence", text)
		}
	}
	for _, raw := range []string{
		"https://hunter2@example.com/", "https://example.com/hunter2#", "https://example.com/%zzhunter2", "https://example.com:hunter2/", "http://hunter2/",
	} {
		_, err := listenerurl.Parse(raw, listenerurl.Policy{})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the refusal is %v", raw, err)
		}
	}
}

// FuzzApprovedIsDialled checks that the host that net/http extracts from the text is the approved one, and that an
// address that it would dial without DNS is public.
func FuzzApprovedIsDialled(f *testing.F) {
	for _, row := range readRows(f) {
		f.Add(row.url)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		approved, err := listenerurl.Parse(raw, listenerurl.Policy{})
		if err != nil {
			return
		}
		dialled := dialledHost(t, raw)
		if addr, err := netip.ParseAddr(dialled); err == nil {
			if !listenerurl.AllowedAddress(addr) {
				t.Fatalf("%q dials %v", raw, addr)
			}
			dialled = addr.Unmap().String()
		}
		if dialled != approved.Host() {
			t.Fatalf("%q was approved for %q and dials %q", raw, approved.Host(), dialled)
		}
		again, err := listenerurl.Parse(approved.Target().String(), listenerurl.Policy{})
		if err != nil || again.Host() != approved.Host() || again.Port() != approved.Port() {
			t.Fatalf("the target of %q leads to %q: %v", raw, again.Host(), err)
		}
	})
}

// dialledHost repeats the steps of net/http's transport without the code of this package.
func dialledHost(t *testing.T, raw string) string {
	parsed, err := url.Parse(raw)
	if err != nil {
		t.Fatalf("approved %q, which is not a URL: %v", raw, err)
	}
	name := parsed.Hostname()
	if strings.ContainsFunc(name, func(r rune) bool { return r > 127 }) {
		if name, err = idna.Lookup.ToASCII(name); err != nil {
			t.Fatalf("approved %q, which net/http can't dial: %v", raw, err)
		}
	}
	return strings.ToLower(strings.TrimSuffix(name, "."))
}
