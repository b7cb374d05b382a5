package route_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/program"
	"ticketgate/cmd/ticketgate/route"
	"ticketgate/graph/edge"
)

// front is a router at a real address, and its log.
type front struct {
	*program.HTTPServer

	log *systemtest.Log
}

// inFront starts a router in front of clusters with these handlers.
func inFront(t *testing.T, handlers ...http.HandlerFunc) *front {
	t.Helper()
	var clusters []route.Cluster
	for i, handler := range handlers {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		address, err := url.Parse(server.URL)
		systemtest.Must(t, err)
		clusters = append(clusters, route.Cluster{Name: fmt.Sprintf("c%d", i), URL: address})
	}
	f := &front{log: &systemtest.Log{}}
	log := slog.New(slog.NewTextHandler(f.log, nil))
	var err error
	f.HTTPServer, err = program.Listen(t.Context(), program.SettingListen, "127.0.0.1:0")
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = f.Close() })
	f.Forward(route.New(route.Config{
		Clusters: clusters, Bodies: edge.NewBodies(edge.BodyBounds{Medium: 64}), Log: log,
		Proxies: edge.Proxies{netip.MustParsePrefix("127.0.0.1/32")},
	}), log)
	return f
}

// raw sends a text over a connection.
func (f *front) raw(t *testing.T, text string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(f.URL(), "http://"))
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, text)
	systemtest.Must(t, err)
	return conn
}

// ask sends a request as text, and reads the response.
func (f *front) ask(t *testing.T, text string) (status int, answer string) {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(f.raw(t, text)), nil)
	systemtest.Must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	systemtest.Must(t, err)
	return response.StatusCode, string(body)
}

// tells responds with what a cluster received.
func tells(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s from %s: %s", r.Method, r.RequestURI, r.Host, r.Header.Get("X-Forwarded-For"), body)
}

func TestRequestsReachAClusterAsTheyWereSent(t *testing.T) {
	t.Parallel()
	f := inFront(t, tells)
	const last = "Connection: close\r\n\r\n"
	for name, row := range map[string]struct {
		sent, want string
		status     int
	}{
		"a path with encoded slashes": {"GET //api/a%2Fb//%2e%2e/c?x=%zz;y HTTP/1.1\r\nHost: x\r\n" + last, "GET //api/a%2Fb//%2e%2e/c?x=%zz;y x from 127.0.0.1: ", 200},
		"an absolute URL":             {"GET http://y/api/keys HTTP/1.1\r\nHost: x\r\n" + last, "GET /api/keys y from 127.0.0.1: ", 200},
		"an offered upgrade with a body": {
			"POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n" +
				"Content-Length: 2\r\n\r\n{}", "POST / x from 127.0.0.1: {}", 200,
		},
		"an upgrade without a name": {
			"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: \xff\r\n\r\n",
			`{"statusCode":400,"error":"Bad Request","message":"The request cannot be forwarded","code":"INVALID_REQUEST","requestId":""}` + "\n", 400,
		},
		"two lengths": {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\n{}", "400 Bad Request", 400},
		"two hosts":   {"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n" + last, "400 Bad Request", 400},
		"a client that a proxy names": {
			"GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.9, 192.0.2.1, 127.0.0.1\r\n" + last, "GET / x from 192.0.2.1: ", 200,
		},
		"a client that a proxy names by the standard": {
			"GET / HTTP/1.1\r\nHost: x\r\nForwarded: for=192.0.2.1\r\n" + last, "GET / x from 192.0.2.1: ", 200,
		},
		"an announced body that is asked for": {
			"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", "", 100,
		},
		"the clusters' path for routers":      {"GET /routez HTTP/1.1\r\nHost: x\r\n" + last, "404 page not found\n", 404},
		"the same with more slashes":          {"GET //routez/ HTTP/1.1\r\nHost: x\r\n" + last, "404 page not found\n", 404},
		"the same with escapes":               {"GET /%72outez HTTP/1.1\r\nHost: x\r\n" + last, "404 page not found\n", 404},
		"the router's own probe with a slash": {"GET //livez/ HTTP/1.1\r\nHost: x\r\n" + last, `{"status":"alive"}` + "\n", 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if status, text := f.ask(t, row.sent); status != row.status || text != row.want {
				t.Errorf("%d %q", status, text)
			}
		})
	}
}

// A proxy in front may take the length for the body's, and the rest for another request.
func TestAChunkedRequestIsTheLastOfItsConnection(t *testing.T) {
	t.Parallel()
	f := inFront(t, tells)
	conn := f.raw(t, "POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"+
		"GET /second HTTP/1.1\r\nHost: x\r\n\r\n")
	text, err := io.ReadAll(conn)
	systemtest.Must(t, err)
	if !strings.Contains(string(text), "POST /first x from 127.0.0.1: {}") || strings.Contains(string(text), "second") {
		t.Errorf("%s", text)
	}
}

// A body that ends early is the caller's fault, and a caller that leaves needs no response.
func TestOnlyTheClustersFaultsAreLogged(t *testing.T) {
	t.Parallel()
	started, left := make(chan struct{}, 1), make(chan struct{}, 1)
	f := inFront(t, func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		started <- struct{}{}
		<-r.Context().Done()
		left <- struct{}{}
	})
	for _, body := range []string{"", "{}"} {
		ctx, leave := context.WithCancel(t.Context())
		go func() {
			<-started
			leave()
		}()
		if _, _, err := systemtest.TryRequest(ctx, http.DefaultClient, http.MethodPost, f.URL(), body); err == nil {
			t.Error("the caller got a response")
		}
		<-left
	}
	for name, request := range map[string]string{
		"a kept body":     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx",
		"a large body":    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2097152\r\n\r\nx",
		"a broken chunk":  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
		"a large chunked": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n" + strings.Repeat("x", 1<<20+10),
	} {
		conn := f.raw(t, request)
		systemtest.Must(t, conn.(*net.TCPConn).CloseWrite())
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		systemtest.Must(t, err)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", name, response.StatusCode)
		}
	}
	systemtest.Must(t, f.Drain(t.Context()))
	if log := f.log.String(); log != "" {
		t.Errorf("the log has: %s", log)
	}

	f = inFront(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if status, text := systemtest.Request(t, http.MethodPost, f.URL(), "{}"); status != http.StatusServiceUnavailable ||
		!strings.Contains(f.log.String(), "a cluster did not respond") {
		t.Errorf("a cluster that fails: %d %s, log %s", status, text, f.log)
	}
}

func TestUpgradesAndEventStreamsPass(t *testing.T) {
	t.Parallel()
	f := inFront(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			fmt.Fprintf(w, "data: 1\n\n")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "echo")
		w.WriteHeader(http.StatusSwitchingProtocols)
		conn, both, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = io.Copy(conn, both)
			_ = conn.Close()
		}
	})
	stream := f.raw(t, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	response, err := http.ReadResponse(bufio.NewReader(stream), nil)
	systemtest.Must(t, err)
	defer response.Body.Close()
	defer stream.Close() // first, because closing the body reads it to its end
	if line, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil || line != "data: 1\n" {
		t.Errorf("the stream: %q, %v", line, err)
	}
	both := f.raw(t, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	reader := bufio.NewReader(both)
	switched, err := http.ReadResponse(reader, nil)
	systemtest.Must(t, err)
	defer switched.Body.Close()
	_, err = io.WriteString(both, "hello\n")
	systemtest.Must(t, err)
	if line, err := reader.ReadString('\n'); err != nil || line != "hello\n" {
		t.Errorf("after the upgrade: %d %q, %v", switched.StatusCode, line, err)
	}
}

// An id that can't be one is neither asked for nor kept.
func TestOnlyIDsAreAskedFor(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	f := inFront(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/routez" {
			asked <- r.URL.Query().Get("seller")
			_, _ = io.WriteString(w, `{"here": true, "cluster": "", "epoch": 1}`)
		}
	})
	for _, seller := range []string{"6a0000000000000000000000", strings.Repeat("x", 1000), "\xff", "a b"} {
		if status, text := f.ask(t, "GET / HTTP/1.1\r\nHost: x\r\nX-Seller-Id: "+seller+"\r\n\r\n"); status != http.StatusOK {
			t.Errorf("%q: %d %s", seller, status, text)
		}
	}
	if first := <-asked; first != "6a0000000000000000000000" || len(asked) > 0 {
		t.Errorf("asked for %q and %d more", first, len(asked))
	}
}

func TestBuyerIsRoutedToLastOfSixClusters(t *testing.T) {
	t.Parallel()
	unknown := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }
	f := inFront(t, append(slices.Repeat([]http.HandlerFunc{unknown}, 5), tells)...)
	for _, path := range []string{"/api/checkout/1/state", "//api/checkout//1/state/", "/api/accessusers/pair"} {
		if status, text := systemtest.Request(t, http.MethodPost, f.URL()+path, "{}"); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, _ := systemtest.Request(t, http.MethodGet, f.URL()+"/api/checkout", ""); status != http.StatusUnauthorized {
		t.Errorf("another path: %d", status)
	}
}
