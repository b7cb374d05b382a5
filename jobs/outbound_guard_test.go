package jobs

import (
	"context"
	"crypto/tls"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain/listenerurl"
	"ticketgate/domain/webhook"
)

//go:embed testdata/refused_at_dial.tsv
var refusedAtDial string

// scriptedResolver returns one result per lookup and repeats the last.
type scriptedResolver struct {
	mu      sync.Mutex
	answers [][]netip.Addr
	err     error
	asked   []string
}

func (r *scriptedResolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, host)
	if r.err != nil {
		return nil, r.err
	}
	answer := r.answers[0]
	if len(r.answers) > 1 {
		r.answers = r.answers[1:]
	}
	return slices.Clone(answer), nil
}

func answering(script string) *scriptedResolver {
	r := &scriptedResolver{}
	for lookup := range strings.SplitSeq(script, ";") {
		var answer []netip.Addr
		for text := range strings.SplitSeq(lookup, ",") {
			answer = append(answer, netip.MustParseAddr(text))
		}
		r.answers = append(r.answers, answer)
	}
	return r
}

// recordingDial records the requested addresses and connects to one listener instead.
type recordingDial struct {
	mu     sync.Mutex
	to     string
	dialed []string
}

func (d *recordingDial) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d.mu.Lock()
	d.dialed = append(d.dialed, address)
	d.mu.Unlock()
	return (&net.Dialer{}).DialContext(ctx, network, d.to)
}

func listenerAddress(server *httptest.Server) string { return server.Listener.Addr().String() }

func noContent(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Connection", "close")
	w.WriteHeader(http.StatusNoContent)
}

func TestNamesOfInternalAddressesAreRefusedAtDial(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(noContent))
	t.Cleanup(server.Close)
	own := func() []netip.AddrPort {
		return []netip.AddrPort{netip.MustParseAddrPort("93.184.216.99:80"), netip.MustParseAddrPort("[::ffff:93.184.216.99]:443")}
	}
	for line := range strings.Lines(refusedAtDial) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		to, script, _ := strings.Cut(strings.TrimSpace(line), "\t")
		t.Run(to, func(t *testing.T) {
			dial := &recordingDial{to: listenerAddress(server)}
			sender := &Sender{Outbound: NewOutbound(listenerurl.Policy{}, answering(script), dial.dial, own)}
			lookups := strings.Split(script, ";")
			for _, public := range lookups[:len(lookups)-1] {
				sender.Send(t.Context(), Request{URL: to})
				if last := dial.dialed[len(dial.dialed)-1]; !strings.HasPrefix(last, public+":") {
					t.Errorf("checked %s and dialled %s", public, last)
				}
			}
			before := len(dial.dialed)
			result := sender.Send(t.Context(), Request{URL: to, Body: []byte("{}")})
			if result.Failure != webhook.FailureRefusedAddress || result.Delivered() || result.Status != 0 || result.Body != nil {
				t.Errorf("ended as %+v", result)
			}
			if len(dial.dialed) != before {
				t.Errorf("dialled %v", dial.dialed[before:])
			}
			if strings.ContainsAny(result.Detail, "0123456789") || result.Detail != failureTexts[webhook.FailureConnect] {
				t.Errorf("the text reveals more than that of a refused connection: %q", result.Detail)
			}
		})
	}
}

func TestURLsAreCheckedAgainBeforeTheCall(t *testing.T) {
	dial := &recordingDial{}
	resolver := answering("93.184.216.34")
	sender := &Sender{Outbound: NewOutbound(listenerurl.Policy{}, resolver, dial.dial, nil)}
	for _, stored := range []string{"http://localhost/", "http://10.0.0.1/", "http://[::1]/", "http://example.com:22/", "http://user@example.com/", "file:///etc/passwd", ""} {
		result := sender.Send(t.Context(), Request{URL: stored})
		if result.Failure != webhook.FailureInvalidURL || result.Detail == "" {
			t.Errorf("%q ended as %+v", stored, result)
		}
	}
	if len(dial.dialed)+len(resolver.asked) != 0 {
		t.Errorf("looked up %v and dialled %v", resolver.asked, dial.dialed)
	}
}

func TestPublicNamesAreDialedAtTheirAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(noContent))
	t.Cleanup(server.Close)
	resolver := answering("::ffff:93.184.216.34,2606:2800:220:1::1")
	dial := &recordingDial{to: listenerAddress(server)}
	sender := &Sender{Outbound: NewOutbound(listenerurl.Policy{}, resolver, dial.dial, nil)}
	if result := sender.Send(t.Context(), Request{URL: "http://hook24.acme-tickets.com:8080/"}); !result.Delivered() {
		t.Fatalf("ended as %+v", result)
	}
	if !slices.Equal(dial.dialed, []string{"93.184.216.34:8080"}) {
		t.Errorf("dialled %v", dial.dialed)
	}
	// Without the final dot, a search list could resolve to a different name.
	if !slices.Equal(resolver.asked, []string{"hook24.acme-tickets.com."}) {
		t.Errorf("looked up %v", resolver.asked)
	}
}

func TestTheOtherAddressFamilyIsTriedNext(t *testing.T) {
	var dialled []string
	dial := func(_ context.Context, _, address string) (net.Conn, error) {
		dialled = append(dialled, address)
		return nil, errors.New("connection refused by 93.184.216.34")
	}
	resolver := answering("2606:2800:220:1::1,2606:2800:220:1::2,93.184.216.34,2606:2800:220:1::3")
	sender := &Sender{Outbound: NewOutbound(listenerurl.Policy{}, resolver, dial, nil)}
	result := sender.Send(t.Context(), Request{URL: "http://hook.acme-tickets.com/"})
	if result.Failure != webhook.FailureConnect || result.Detail != failureTexts[webhook.FailureConnect] {
		t.Errorf("ended as %+v", result)
	}
	want := []string{"[2606:2800:220:1::1]:80", "93.184.216.34:80", "[2606:2800:220:1::2]:80"}
	if !slices.Equal(dialled, want) {
		t.Errorf("dialled %v", dialled)
	}
}

func TestTheDialerRefusesUncheckedAddresses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(noContent))
	t.Cleanup(server.Close)
	strict := NewOutbound(listenerurl.Policy{}, nil, nil, nil)
	if conn, err := strict.dial(t.Context(), "tcp", listenerAddress(server)); err == nil {
		conn.Close()
		t.Error("the second lock let a loopback address through")
	}
	own := netip.MustParseAddrPort(listenerAddress(server))
	itself := NewOutbound(listenerurl.Policy{AllowPrivateAddresses: true}, nil, nil, func() []netip.AddrPort { return []netip.AddrPort{own} })
	if conn, err := itself.dial(t.Context(), "tcp", own.String()); err == nil {
		conn.Close()
		t.Error("the second lock let the server call itself")
	}
	open := NewOutbound(listenerurl.Policy{AllowPrivateAddresses: true}, nil, nil, nil)
	conn, err := open.dial(t.Context(), "tcp", own.String())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

func TestFailuresOfDNS(t *testing.T) {
	many := make([]netip.Addr, 1000)
	for i := range many {
		many[i] = netip.AddrFrom4([4]byte{93, 184, byte(i >> 8), byte(i)})
	}
	withOneInside := append(slices.Clone(many), netip.MustParseAddr("10.0.0.1"))
	for _, c := range []struct {
		name     string
		resolver Resolver
		want     webhook.Failure
	}{
		{"name does not exist", &scriptedResolver{err: &net.DNSError{Err: "no such host", Name: "hook.", IsNotFound: true}}, webhook.FailureDNS},
		{"server fails", &scriptedResolver{err: &net.DNSError{Err: "server misbehaving", Server: "10.0.0.53:53", IsTemporary: true}}, webhook.FailureDNS},
		{"no addresses", &scriptedResolver{answers: [][]netip.Addr{{}}}, webhook.FailureDNS},
		{"no response", silentResolver{}, webhook.FailureDNS},
		{"last of a thousand addresses is internal", &scriptedResolver{answers: [][]netip.Addr{withOneInside}}, webhook.FailureRefusedAddress},
		{"all of a thousand addresses refuse", &scriptedResolver{answers: [][]netip.Addr{many}}, webhook.FailureConnect},
	} {
		t.Run(c.name, func(t *testing.T) {
			dialled := 0
			dial := func(context.Context, string, string) (net.Conn, error) {
				dialled++
				return nil, errors.New("refused")
			}
			outbound := NewOutbound(listenerurl.Policy{}, c.resolver, dial, nil)
			outbound.lookupTimeout = 20 * time.Millisecond
			result := (&Sender{Outbound: outbound}).Send(t.Context(), Request{URL: "https://hook.acme-tickets.com/"})
			if result.Failure != c.want || result.Detail != failureTexts[c.want] {
				t.Errorf("ended as %+v", result)
			}
			if dialled > maxDialled || c.want != webhook.FailureConnect && dialled > 0 {
				t.Errorf("dialled %d times", dialled)
			}
		})
	}
}

// silentResolver returns only after its caller has given up.
type silentResolver struct{}

func (silentResolver) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, fmt.Errorf("lookup: %w", ctx.Err())
}

func TestClientIsStrict(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	transport := NewOutbound(listenerurl.Policy{}, nil, nil, nil).transport
	if transport.Proxy != nil {
		t.Error("a proxy is used")
	}
	if transport.MaxIdleConns == 0 || transport.MaxIdleConnsPerHost == 0 || transport.IdleConnTimeout == 0 {
		t.Error("idle connections are not bounded")
	}
	config := NewOutbound(listenerurl.Policy{}, nil, nil, nil).tlsConfig
	if config.InsecureSkipVerify || config.MinVersion < tls.VersionTLS12 { //nolint:forbidigo // the test checks that it is off
		t.Error("TLS is not strict")
	}
}

func TestConnectionsAreKeptAndCheckedWhenTheyAreMade(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	dial := &recordingDial{to: listenerAddress(server)}
	outbound := NewOutbound(listenerurl.Policy{}, answering("93.184.216.34;10.0.0.1"), dial.dial, nil)
	t.Cleanup(outbound.CloseIdleConnections)
	sender := &Sender{Outbound: outbound}
	request := Request{URL: "http://hook.acme-tickets.com/"}
	for range 3 {
		if result := sender.Send(t.Context(), request); !result.Delivered() {
			t.Fatalf("ended as %+v", result)
		}
	}
	if len(dial.dialed) != 1 {
		t.Errorf("made %d connections for three calls", len(dial.dialed))
	}
	outbound.CloseIdleConnections()
	if result := sender.Send(t.Context(), request); result.Failure != webhook.FailureRefusedAddress {
		t.Errorf("a new connection went to an internal address: %+v", result)
	}
}
