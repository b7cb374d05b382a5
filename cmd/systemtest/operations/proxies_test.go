package operations

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/db/dbtest"
)

// inProd returns the settings of a process in mode prod, behind proxies on loopback.
func inProd(database *dbtest.Database, more ...string) []string {
	return systemtest.OnDatabase(database, append([]string{
		"TICKETGATE_MODE=prod", "TICKETGATE_ALLOW_PRIVATE_ADDRESSES=false",
		"TICKETGATE_SECRET_KEY=" + systemtest.ProdSecretKey, "TICKETGATE_SYSTEM_TOKEN=" + systemtest.ProdSystemToken,
	}, more...)...)
}

// clientAt returns a client with its own address: all of 127.0.0.0/8 is this machine.
func clientAt(t *testing.T, address string) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// loggedAddress sends a request and returns the caller's address in the server's log.
func loggedAddress(t *testing.T, s *systemtest.Process, client *http.Client, at string, header http.Header) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+"/livez", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	id, address := response.Header.Get("X-Request-Id"), ""
	systemtest.Eventually(t, "the request is logged", func() bool {
		for line := range strings.Lines(s.Stderr.String()) {
			if strings.Contains(line, "request_id="+id) {
				_, address, _ = strings.Cut(strings.TrimSpace(line), "address=")
				return true
			}
		}
		return false
	})
	return address
}

// forgeries are headers with which a client may try to choose its address.
var forgeries = map[string]http.Header{
	"nothing":                   {},
	"X-Forwarded-For":           {"X-Forwarded-For": {"6.6.6.6"}},
	"two X-Forwarded-For":       {"X-Forwarded-For": {"6.6.6.6", "7.7.7.7, 127.0.0.1"}},
	"an empty X-Forwarded-For":  {"X-Forwarded-For": {""}},
	"garbage":                   {"X-Forwarded-For": {"\"6.6.6.6, ,,unknown"}},
	"Forwarded":                 {"Forwarded": {`for="[2001:db8::1]:80"`}},
	"Forwarded with open quote": {"Forwarded": {`for="6.6.6.6`}},
	"both":                      {"X-Forwarded-For": {"6.6.6.6"}, "Forwarded": {"for=7.7.7.7"}},
	"hop-by-hop":                {"Connection": {"X-Forwarded-For"}, "X-Forwarded-For": {"6.6.6.6"}},
	"other headers":             {"X-Real-Ip": {"6.6.6.6"}, "X-Client-Ip": {"6.6.6.6"}, "Client-Ip": {"6.6.6.6"}},
}

// checkProxy checks that the server sees the client's address and never a forged one, and that the proxy passes Host.
func checkProxy(t *testing.T, s *systemtest.Process, proxy string) {
	t.Helper()
	for _, address := range []string{"127.0.0.2", "127.0.0.3"} {
		client := clientAt(t, address)
		for name, header := range forgeries {
			if got := loggedAddress(t, s, client, proxy, header.Clone()); got != address {
				t.Errorf("%s: client %s sending %s was logged as %s", proxy, address, name, got)
			}
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, proxy+"/graphql", strings.NewReader(`{"query":"{__typename}"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Origin": {proxy}}
	response, err := clientAt(t, "127.0.0.2").Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
		t.Errorf("%s: request of a same-origin page: %d %s", proxy, response.StatusCode, text)
	}
}

// A proxy on this machine, from Go's library, which appends to X-Forwarded-For.
func TestCallerAddressBehindProxy(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	trusting := systemtest.Serve(t, inProd(database, "TICKETGATE_TRUSTED_PROXIES=127.0.0.1", "TICKETGATE_PUBLIC_RATE=1", "TICKETGATE_PUBLIC_BURST=1"), "--no-workers")
	proxy := appendingProxy(t, trusting.URL)
	checkProxy(t, trusting, proxy)
	if strings.Contains(trusting.Stderr.String(), "throttles by address are off") {
		t.Error("the log warns although all callers are known")
	}
	t.Run("the headers of an untrusted client are ignored", func(t *testing.T) {
		header := http.Header{"X-Forwarded-For": {"6.6.6.6"}, "Forwarded": {"for=6.6.6.6"}}
		if got := loggedAddress(t, trusting, clientAt(t, "127.0.0.2"), trusting.URL, header); got != "127.0.0.2" {
			t.Errorf("logged as %s", got)
		}
	})
	t.Run("callers are throttled by their own address", func(t *testing.T) {
		first, second := clientAt(t, "127.0.0.2"), clientAt(t, "127.0.0.3")
		// One call per second is admitted, so some of twenty concurrent calls are not, however slow the machine is.
		const together = 20
		var limited atomic.Int64
		var calls sync.WaitGroup
		for i := range together {
			calls.Go(func() {
				if limitedAt(t, first, proxy, fmt.Sprintf("1.1.1.%d", i)) {
					limited.Add(1)
				}
			})
		}
		calls.Wait()
		if got := limited.Load(); got == 0 || got == together {
			t.Errorf("%d of %d concurrent calls were limited", got, together)
		}
		if limitedAt(t, second, proxy, "1.1.1.1") {
			t.Error("another client was limited")
		}
	})
}

func TestNoThrottleByAddressBehindAnUntrustedProxy(t *testing.T) {
	t.Parallel()
	s := systemtest.Serve(t, inProd(dbtest.New(t), "TICKETGATE_PUBLIC_RATE=1", "TICKETGATE_PUBLIC_BURST=1"), "--no-workers")
	proxy := appendingProxy(t, s.URL)
	for range 3 {
		if limitedAt(t, clientAt(t, "127.0.0.2"), proxy, "1.1.1.1") {
			t.Error("limited by the proxy's address")
		}
	}
	if got := loggedAddress(t, s, clientAt(t, "127.0.0.2"), proxy, http.Header{}); got != "127.0.0.1" {
		t.Errorf("logged as %s", got)
	}
	if got := strings.Count(s.Stderr.String(), "throttles by address are off"); got != 1 {
		t.Errorf("the log has %d warnings about throttles by address, want 1", got)
	}
}

// appendingProxy starts a proxy that appends the client's address to what the client sent.
func appendingProxy(t *testing.T, to string) string {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
		r.SetXForwarded()
	}}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return front.URL
}

// limitedAt tries a login and reports whether the address is limited. A locked account is a different error.
func limitedAt(t *testing.T, client *http.Client, at, forged string) bool {
	t.Helper()
	const body = `{"query":"mutation{login(input:{email:\"nobody@example.org\",password:\"wrong wrong wrong\"}){token}}"}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at+"/graphql", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return false
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "X-Forwarded-For": {forged}}
	response, err := client.Do(r)
	if err != nil {
		t.Error(err)
		return false
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(text), `"errors"`) {
		t.Errorf("%d %s, %v", response.StatusCode, text, err)
	}
	return strings.Contains(string(text), "RATE_LIMITED") && strings.Contains(string(text), "Too many requests")
}
