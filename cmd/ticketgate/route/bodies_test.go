package route_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/program"
	"ticketgate/cmd/ticketgate/route"
	"ticketgate/graph/edge"
)

// pipes is a listener for connections in memory, so that a test has its own clock.
type pipes struct {
	coming chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.coming:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	close(p.closed)
	return nil
}

func (pipes) Addr() net.Addr { return &net.TCPAddr{} }

// from is a connection from an address.
type from struct {
	net.Conn
	address string
}

func (f from) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(f.address + ":1"))
}

// cluster is the transport to a single cluster.
type cluster func(*http.Request) (*http.Response, error)

func (c cluster) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

// accepts reads the body and responds with its size.
func accepts(r *http.Request) (*http.Response, error) {
	size, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprint(size)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, ContentLength: int64(len(text)), Body: io.NopCloser(strings.NewReader(text)),
	}, nil
}

// router is a router in front of one cluster, with one slot for each of four addresses.
type router struct {
	t  *testing.T
	at pipes
}

// routed runs a test with a router.
func routed(t *testing.T, to cluster, test func(*router)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &router{t, pipes{make(chan net.Conn), make(chan struct{})}}
		created := route.New(route.Config{
			Clusters: []route.Cluster{{Name: "a", URL: &url.URL{Scheme: "http", Host: "cluster"}}},
			Bodies:   edge.NewBodies(edge.BodyBounds{Medium: 4}), Log: slog.New(slog.DiscardHandler),
		})
		created.SetTransport(to)
		server := program.HTTPServer{Listener: r.at}
		server.Forward(created, slog.New(slog.DiscardHandler))
		test(r)
		_ = server.Close()
		time.Sleep(time.Minute) //nolint:forbidigo // the bubble has a clock of its own, and the server's goroutines end
	})
}

// sending is a request whose body is being sent.
type sending struct {
	t    *testing.T
	conn net.Conn
	// sent is closed when the router has read everything that was sent so far.
	sent chan struct{}
}

// send sends a head and the start of a body from an address.
func (r *router) send(address, header string, body ...string) *sending {
	r.t.Helper()
	client, server := net.Pipe()
	r.at.coming <- from{server, address}
	s := &sending{t: r.t, conn: client}
	s.more("POST /api/keys HTTP/1.1\r\nHost: x\r\n" + header + "\r\n\r\n" + strings.Join(body, ""))
	return s
}

// more sends more of the body.
func (s *sending) more(text string) {
	s.sent = make(chan struct{})
	go func(sent chan struct{}) {
		if _, err := io.WriteString(s.conn, text); err == nil {
			close(sent)
		}
	}(s.sent)
	synctest.Wait()
}

// received reports whether the router has read everything that was sent.
func (s *sending) received() bool {
	select {
	case <-s.sent:
		return true
	default:
		return false
	}
}

// answer reads the response. The text starts with the value of Retry-After.
func (s *sending) answer() (status int, text string) {
	s.t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(s.conn), nil)
	systemtest.Must(s.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	systemtest.Must(s.t, err)
	_ = s.conn.Close()
	return response.StatusCode, response.Header.Get("Retry-After") + string(body)
}

const (
	announced = "Content-Length: 1048576"
	large     = "Content-Length: 1048577"
	chunked   = "Transfer-Encoding: chunked"
)

// part is the start of a body that needs a slot.
var part = strings.Repeat("x", 100<<10)

func TestKeptBodiesAreBoundedByAddress(t *testing.T) {
	t.Parallel()
	routed(t, accepts, func(r *router) {
		first, second := r.send("192.0.2.1", announced, part), r.send("192.0.2.1", announced, part)
		other := r.send("192.0.2.2", announced, part)
		if !first.received() || second.received() || !other.received() {
			t.Errorf("first %v, second %v, another address %v", first.received(), second.received(), other.received())
		}
		for name, small := range map[string]*sending{
			"64 KiB":         r.send("192.0.2.1", "Content-Length: 65536", part[:64<<10]),
			"no body":        r.send("192.0.2.1", "Content-Length: 0"),
			"a small chunk":  r.send("192.0.2.1", chunked, "1\r\nx\r\n0\r\n\r\n"),
			"another's rest": other.finished(strings.Repeat("x", 1<<20-len(part))),
		} {
			if status, text := small.answer(); status != http.StatusOK {
				t.Errorf("%s: %d %s", name, status, text)
			}
		}
		time.Sleep(10 * time.Second) //nolint:forbidigo // the bubble has a clock of its own
		if status, text := second.answer(); status != http.StatusTooManyRequests || !strings.HasPrefix(text, "5{") {
			t.Errorf("the second after its wait: %d %s", status, text)
		}
		time.Sleep(5 * time.Second) //nolint:forbidigo // as above
		if status, text := first.answer(); status != http.StatusBadRequest {
			t.Errorf("the first after 15 s: %d %s", status, text)
		}
		third := r.send("192.0.2.1", announced, part)
		if !third.received() {
			t.Error("a body that broke off keeps its slot")
		}
		_ = third.conn.Close()
	})
}

// finished sends the rest of the body.
func (s *sending) finished(rest string) *sending {
	s.more(rest)
	return s
}

func TestABodyHoldsItsSlotUntilTheRoundTripEnds(t *testing.T) {
	t.Parallel()
	routed(t, func(r *http.Request) (*http.Response, error) {
		time.Sleep(time.Second) //nolint:forbidigo // the bubble has a clock of its own
		return accepts(r)
	}, func(r *router) {
		body := strings.Repeat("x", 1<<20)
		first, second := r.send("192.0.2.1", announced, body), r.send("192.0.2.1", announced, body)
		if !first.received() || second.received() {
			t.Errorf("first %v, second %v", first.received(), second.received())
		}
		for _, sent := range []*sending{first, second} {
			if status, text := sent.answer(); status != http.StatusOK || text != "1048576" {
				t.Errorf("%d %s", status, text)
			}
		}
	})
}

func TestALargeBodyLivesWhileItsSenderMoves(t *testing.T) {
	t.Parallel()
	const steps = 3
	body := strings.Repeat("x", 1<<20+1)
	for name, row := range map[string]struct{ header, start, step, end string }{
		"announced": {large, body[:100], "x", body[100+steps:]},
		"in chunks": {chunked, "100001\r\n" + body + "\r\n", "1\r\nx\r\n", "0\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			routed(t, accepts, func(r *router) {
				moving, stalled := r.send("192.0.2.1", row.header, row.start), r.send("192.0.2.1", row.header, row.start)
				if !moving.received() || !stalled.received() {
					t.Error("a body that is passed on holds a slot")
				}
				for step := range steps {
					time.Sleep(20 * time.Second) //nolint:forbidigo // the bubble has a clock of its own
					moving.more(row.step)
					if step != 1 {
						continue
					}
					if status, text := stalled.answer(); status != http.StatusBadRequest {
						t.Errorf("the stalled body: %d %s", status, text)
					}
				}
				if status, text := moving.finished(row.end).answer(); status != http.StatusOK {
					t.Errorf("the moving body: %d %s", status, text)
				}
			})
		})
	}
}

// A client that neither sends nor leaves is disconnected, at each stage of a request.
func TestStalledHeadsEnd(t *testing.T) {
	t.Parallel()
	routed(t, accepts, func(r *router) {
		client, server := net.Pipe()
		r.at.coming <- from{server, "192.0.2.1"}
		_, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost:")
		systemtest.Must(t, err)
		time.Sleep(5 * time.Second) //nolint:forbidigo // the bubble has a clock of its own
		if text, err := io.ReadAll(client); err != nil || len(text) > 0 {
			t.Errorf("got %q, %v", text, err)
		}
	})
}
