package jobs

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain/listenerurl"
	"ticketgate/domain/webhook"
)

var loopback = listenerurl.Policy{AllowPrivateAddresses: true}

func newSender(t *testing.T) *Sender {
	outbound := NewOutbound(loopback, nil, nil, nil)
	t.Cleanup(outbound.CloseIdleConnections)
	return &Sender{Outbound: outbound, Timeout: 300 * time.Millisecond, Version: "1.2.3"}
}

// peer is a listener that speaks bytes. behave gets each connection after the request was read. connections is their
// number.
func peer(t *testing.T, behave func(conn *net.TCPConn)) (url string, connections *atomic.Int32) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	connections = new(atomic.Int32)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			go func() {
				defer conn.Close()
				behave(conn.(*net.TCPConn))
			}()
		}
	}()
	return "http://" + listener.Addr().String() + "/hook", connections
}

// readRequest reads a request as all tests of a peer send it: the only brace that closes is the last byte of its
// body.
func readRequest(conn net.Conn) {
	var got []byte
	buffer := make([]byte, 4096)
	for !bytes.HasSuffix(got, []byte("}")) {
		n, err := conn.Read(buffer)
		if err != nil {
			return
		}
		got = append(got, buffer[:n]...)
	}
}

func says(text string) func(*net.TCPConn) {
	return func(conn *net.TCPConn) {
		readRequest(conn)
		io.WriteString(conn, text)
	}
}

// hangs waits until the other side closes the connection.
func hangs(conn net.Conn) { io.Copy(io.Discard, conn) }

// floods repeats a text until the other side closes the connection.
func floods(conn net.Conn, first, again string) {
	io.WriteString(conn, first)
	for {
		if _, err := io.WriteString(conn, again); err != nil {
			return
		}
	}
}

// trickles writes one byte every few milliseconds.
func trickles(conn net.Conn, text string) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		for i := range len(text) {
			<-tick.C
			if _, err := conn.Write([]byte{text[i]}); err != nil {
				return
			}
		}
	}
}

func TestMisbehavingListeners(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
	for _, c := range []struct {
		name      string
		behave    func(*net.TCPConn)
		failure   webhook.Failure
		status    int
		delivered bool
		kept      int
		truncated bool
	}{
		{name: "hangs before it reads", behave: func(c *net.TCPConn) { hangs(c) }, failure: webhook.FailureTimeout},
		{name: "hangs before it answers", behave: func(c *net.TCPConn) { readRequest(c); hangs(c) }, failure: webhook.FailureTimeout},
		{name: "hangs within the head", behave: func(c *net.TCPConn) { readRequest(c); io.WriteString(c, "HTTP/1.1 200 OK\r\nA: "); hangs(c) }, failure: webhook.FailureTimeout},
		{name: "hangs after the head", behave: func(c *net.TCPConn) { readRequest(c); io.WriteString(c, ok); hangs(c) }, status: 200, delivered: true, truncated: true},
		{name: "trickles its head", behave: func(c *net.TCPConn) {
			readRequest(c)
			trickles(c, "HTTP/1.1 200 OK\r\n"+strings.Repeat("A: b\r\n", 1000))
		}, failure: webhook.FailureTimeout},
		{name: "sends an endless body", behave: func(c *net.TCPConn) {
			readRequest(c)
			floods(c, "HTTP/1.1 200 OK\r\n\r\n", strings.Repeat("x", 4096))
		}, status: 200, delivered: true, kept: maxKeptBody, truncated: true},
		{name: "announces a gigabyte", behave: func(c *net.TCPConn) {
			readRequest(c)
			floods(c, "HTTP/1.1 500 No\r\nContent-Length: 1073741824\r\n\r\n", strings.Repeat("x", 4096))
		}, status: 500, kept: maxKeptBody, truncated: true},
		{name: "sends an endless head", behave: func(c *net.TCPConn) {
			readRequest(c)
			floods(c, "HTTP/1.1 200 OK\r\n", "A: "+strings.Repeat("b", 1000)+"\r\n")
		}, failure: webhook.FailureInvalidResponse},
		{name: "sends an endless header line", behave: func(c *net.TCPConn) {
			readRequest(c)
			floods(c, "HTTP/1.1 200 OK\r\nA: ", strings.Repeat("b", 1000))
		}, failure: webhook.FailureInvalidResponse},
		{name: "sends a flood of 103", behave: func(c *net.TCPConn) { readRequest(c); floods(c, "", "HTTP/1.1 103 Early Hints\r\n\r\n") }, failure: webhook.FailureInvalidResponse},
		{name: "sends a flood of 100", behave: func(c *net.TCPConn) { readRequest(c); floods(c, "", "HTTP/1.1 100 Continue\r\n\r\n") }, failure: webhook.FailureInvalidResponse},
		{name: "sends a 199 and nothing else", behave: says("HTTP/1.1 199 Odd\r\n\r\n"), failure: webhook.FailureClosedEarly},
		{name: "sends 103 2,000 times before its final response", behave: says(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 2000) + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), status: 200, delivered: true},
		{name: "sends a few 103 before its final response", behave: says(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 5) + "HTTP/1.1 204 No Content\r\n\r\n"), status: 204, delivered: true},
		{name: "closes in the middle of a 200", behave: says(ok + "half"), status: 200, delivered: true, kept: 4, truncated: true},
		{name: "closes in the middle of a 500", behave: says("HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\nhalf"), status: 500, kept: 4, truncated: true},
		{name: "sends a broken chunk", behave: says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz"), status: 200, delivered: true, kept: 4, truncated: true},
		{name: "closes at once", behave: func(*net.TCPConn) {}, failure: webhook.FailureClosedEarly},
		{name: "closes after reading", behave: says(""), failure: webhook.FailureClosedEarly},
		{name: "closes within the head", behave: says("HTTP/1.1 200 OK\r\nA: b"), failure: webhook.FailureClosedEarly},
		{name: "resets the connection", behave: func(c *net.TCPConn) { readRequest(c); c.SetLinger(0) }, failure: webhook.FailureClosedEarly},
		{name: "answers in another protocol", behave: says("SSH-2.0-OpenSSH_9.9\r\n"), failure: webhook.FailureInvalidResponse},
		{name: "answers with a TLS alert", behave: says("\x15\x03\x01\x00\x02\x02\x46"), failure: webhook.FailureInvalidResponse},
		{name: "answers with an HTTP/2 preface", behave: says("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), failure: webhook.FailureInvalidResponse},
		{name: "sends two Content-Length headers", behave: says("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), failure: webhook.FailureInvalidResponse},
		{name: "sends a header line without a colon", behave: says("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"), failure: webhook.FailureInvalidResponse},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url, connections := peer(t, c.behave)
			sender := newSender(t)
			if !strings.HasPrefix(c.name, "hangs") && c.failure != webhook.FailureTimeout {
				sender.Timeout = time.Minute // it ends by itself, however busy the machine is
			}
			result := sender.Send(t.Context(), Request{URL: url, Body: []byte("{}")})
			if result.Failure != c.failure || result.Status != c.status || result.Delivered() != c.delivered {
				t.Errorf("ended as %+v", result)
			}
			if len(result.Body) != c.kept || result.BodyTruncated != c.truncated {
				t.Errorf("kept %d bytes, truncated: %v", len(result.Body), result.BodyTruncated)
			}
			if c.failure != "" && result.Detail == "" {
				t.Error("Detail is empty")
			}
			if c.failure == webhook.FailureTimeout && (result.Detail != "timeout after 300 ms" || result.Duration < 300*time.Millisecond) {
				t.Errorf("%q after %v", result.Detail, result.Duration)
			}
			if result.Duration > 30*time.Second || connections.Load() != 1 {
				t.Errorf("took %v and %d connections", result.Duration, connections.Load())
			}
		})
	}
}

// A webhook's call times out after ten seconds, which pass immediately here.
func TestListenerTimeoutIsTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for wait, want := range map[time.Duration]Result{
			10*time.Second - time.Millisecond: {Status: http.StatusOK},
			10*time.Second + time.Millisecond: {Failure: webhook.FailureTimeout, Detail: "timeout after 10 s"},
		} {
			dial := func(context.Context, string, string) (net.Conn, error) {
				ours, theirs := net.Pipe()
				go func() {
					defer theirs.Close()
					readRequest(theirs)
					<-time.After(wait)
					io.WriteString(theirs, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				}()
				return ours, nil
			}
			outbound := NewOutbound(loopback, nil, dial, nil)
			result := (&Sender{Outbound: outbound}).Send(t.Context(), Request{URL: "http://127.0.0.1:8080/", Body: []byte("{}")})
			if result.Status != want.Status || result.Failure != want.Failure || result.Detail != want.Detail ||
				result.Duration != min(wait, 10*time.Second) {
				t.Errorf("after %v: %+v", wait, result)
			}
			outbound.CloseIdleConnections()
			<-time.After(wait) // until the listener has ended too
		}
	})
}

func TestATooLargeHeadIsReported(t *testing.T) {
	const want = "The headers of the listener's response are larger than 65536 bytes"
	large := strings.Repeat("a", 70_000)
	url, _ := peer(t, says("HTTP/1.1 200 OK\r\nA: "+large+"\r\n\r\n"))
	sender := newSender(t)
	sender.Timeout = 5 * time.Second
	if result := sender.Send(t.Context(), Request{URL: url, Body: []byte("{}")}); result.Failure != webhook.FailureInvalidResponse || result.Detail != want {
		t.Errorf("ended as %+v", result)
	}
	if _, detail := classify(errors.New("http2: response header list larger than advertised limit"), 0); detail != want {
		t.Errorf("over HTTP/2: %q", detail)
	}
}

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		line      string
		status    int
		failure   webhook.Failure
		delivered bool
	}{
		{"HTTP/1.1 101 Switching Protocols", 101, webhook.FailureInvalidResponse, false},
		{"HTTP/1.1 200 OK", 200, "", true},
		{"HTTP/1.0 200 OK", 200, "", true},
		{"HTTP/1.1 204 No Content", 204, "", true},
		{"HTTP/1.1 299 Odd", 299, "", true},
		{"HTTP/1.1 300 Choices", 300, "", true},
		{"HTTP/1.1 304 Not Modified", 304, "", true},
		{"HTTP/1.1 399 Odd", 399, "", true},
		{"HTTP/1.1 400 Bad Request", 400, "", false},
		{"HTTP/1.1 404 Not Found", 404, "", false},
		{"HTTP/1.1 410 Gone", 410, "", false},
		{"HTTP/1.1 421 Misdirected Request", 421, "", false},
		{"HTTP/1.1 500 Internal Server Error", 500, "", false},
		{"HTTP/1.1 599 Odd", 599, "", false},
		{"HTTP/1.1 600 Odd", 600, webhook.FailureInvalidResponse, false},
		{"HTTP/1.1 999 Odd", 999, webhook.FailureInvalidResponse, false},
		{"HTTP/1.1 099 Odd", 0, webhook.FailureInvalidResponse, false},
		{"HTTP/1.1 000 Odd", 0, webhook.FailureInvalidResponse, false},
		{"HTTP/1.1 +20 Odd", 0, webhook.FailureInvalidResponse, false},
		{"HTTP/1.1 20 Short", 0, webhook.FailureInvalidResponse, false},
		{"HTTP/9.9 200 OK", 200, webhook.FailureInvalidResponse, false},
		{"HTTP/0.9 200 OK", 200, webhook.FailureInvalidResponse, false},
		{"HTTP/1.9 200 OK", 200, webhook.FailureInvalidResponse, false},
		{"HTTP/2.0 200 OK", 200, webhook.FailureInvalidResponse, false},
		{"HTTP/1.1 200 OK\r\nbad header: x", 200, webhook.FailureInvalidResponse, false},
		{"HTTP/1.1 200 OK\r\ngood-header: x y", 200, "", true},
	} {
		t.Run(c.line, func(t *testing.T) {
			url, _ := peer(t, says(c.line+"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
			result := newSender(t).Send(t.Context(), Request{URL: url, Body: []byte("{}")})
			if result.Status != c.status || result.Failure != c.failure || result.Delivered() != c.delivered {
				t.Errorf("ended as %+v", result)
			}
		})
	}
}

func TestRedirectsCountAsSuccess(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	for _, c := range []struct {
		status   int
		location string
	}{
		{302, "http://169.254.169.254/latest/meta-data/"},
		{301, other.URL},
		{303, ""},
		{307, "/hook"},
		{308, "file:///etc/passwd"},
		{302, "://"},
	} {
		head := fmt.Sprintf("HTTP/1.1 %d Elsewhere\r\nContent-Length: 0\r\n", c.status)
		if c.location != "" {
			head += "Location: " + c.location + "\r\n"
		}
		url, connections := peer(t, says(head+"\r\n"))
		result := newSender(t).Send(t.Context(), Request{URL: url, Key: []byte("k"), Body: []byte("{}")})
		if !result.Delivered() || result.Status != c.status || connections.Load() != 1 {
			t.Errorf("%d to %q ended as %+v with %d connections", c.status, c.location, result, connections.Load())
		}
		if got := result.ResponseHeader.Get("Location"); got != c.location {
			t.Errorf("Location is recorded as %q", got)
		}
	}
	if elsewhere.Load() != 0 {
		t.Error("a redirect was followed")
	}
}

func TestPartsOfACall(t *testing.T) {
	type received struct {
		*http.Request
		body []byte
	}
	got := make(chan received, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- received{r, body}
	}))
	t.Cleanup(server.Close)
	body := []byte("{\"name\":\"Zoë <&>\u2028\"}")
	sender := newSender(t)
	sender.SignatureHeader = "x-acme-signature"
	request := Request{
		URL: server.URL + "/a%2Fb//c|é?x=%zz&y=1+2", Key: []byte("clé\r\nX: y"), Body: body,
		Header: http.Header{"X-Extra": {"1"}, "Content-Type": {"text/plain"}},
	}
	if result := sender.Send(t.Context(), request); !result.Delivered() {
		t.Fatalf("ended as %+v", result)
	}
	r := <-got
	if r.Method != http.MethodPost || r.RequestURI != "/a%2Fb//c%7C%C3%A9?x=%zz&y=1+2" || !bytes.Equal(r.body, body) || r.ContentLength != int64(len(body)) {
		t.Errorf("%s %s with %q", r.Method, r.RequestURI, r.body)
	}
	signature := webhook.Sign(request.Key, body)
	for name, want := range map[string]string{
		"x-service-signature": signature, "x-acme-signature": signature, "content-type": "application/json", "user-agent": "Ticketgate/1.2.3",
		"x-extra": "1", "accept-encoding": "", "x": "", "cookie": "", "referer": "",
	} {
		if value := r.Header.Get(name); value != want {
			t.Errorf("%s is %q", name, value)
		}
	}
	request.Key = nil
	request.Header = http.Header{"X-Service-Signature": {"forged"}}
	sender.Send(t.Context(), request)
	r = <-got
	if r.Header.Get("x-service-signature") != "" || r.Header.Get("x-acme-signature") != "" {
		t.Error("a call without a key has a signature")
	}
}

func TestResponseBodiesAreStoredAsReceived(t *testing.T) {
	var bomb bytes.Buffer
	packer := gzip.NewWriter(&bomb)
	packer.Write(make([]byte, 20<<20))
	packer.Close()
	for name, c := range map[string]struct {
		header string
		body   []byte
		kept   []byte
	}{
		"gzip":                  {"gzip", bomb.Bytes(), bomb.Bytes()[:maxKeptBody]},
		"NUL and invalid UTF-8": {"", []byte("\x00\xff\x1b<b>"), []byte("\x00\xff\x1b<b>")},
		"exactly the limit":     {"", bytes.Repeat([]byte("x"), maxKeptBody), bytes.Repeat([]byte("x"), maxKeptBody)},
		"one byte over":         {"", bytes.Repeat([]byte("y"), maxKeptBody+1), bytes.Repeat([]byte("y"), maxKeptBody)},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.header != "" {
				w.Header().Set("Content-Encoding", c.header)
			}
			w.Write(c.body)
		}))
		result := newSender(t).Send(t.Context(), Request{URL: server.URL})
		if !result.Delivered() || !bytes.Equal(result.Body, c.kept) || result.BodyTruncated != (len(c.body) > len(c.kept)) {
			t.Errorf("%s: kept %d bytes, truncated: %v", name, len(result.Body), result.BodyTruncated)
		}
		server.Close()
	}
}

func TestIPv6Listeners(t *testing.T) {
	listener, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 here")
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(noContent))
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	if result := newSender(t).Send(t.Context(), Request{URL: server.URL}); !result.Delivered() {
		t.Errorf("ended as %+v", result)
	}
}

func TestRefusedConnectionsAndCanceledCallers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(noContent))
	server.Close()
	if result := newSender(t).Send(t.Context(), Request{URL: server.URL}); result.Failure != webhook.FailureConnect || result.Detail != failureTexts[webhook.FailureConnect] {
		t.Errorf("a closed port ended as %+v", result)
	}
	url, _ := peer(t, func(c *net.TCPConn) { hangs(c) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if result := newSender(t).Send(ctx, Request{URL: url}); result.Failure != webhook.FailureInterrupted {
		t.Errorf("a canceled call ended as %+v", result)
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		err    error
		kind   webhook.Failure
		detail string
	}{
		{context.DeadlineExceeded, webhook.FailureTimeout, "timeout after 10 s"},
		{fmt.Errorf("read: %w", context.Canceled), webhook.FailureInterrupted, failureTexts[webhook.FailureInterrupted]},
		{fmt.Errorf("broken: %w", io.ErrUnexpectedEOF), webhook.FailureClosedEarly, failureTexts[webhook.FailureClosedEarly]},
		{errors.New("http: server closed idle connection"), webhook.FailureClosedEarly, failureTexts[webhook.FailureClosedEarly]},
		{errors.New("http2: server sent GOAWAY and closed the connection; LastStreamID=1"), webhook.FailureClosedEarly, failureTexts[webhook.FailureClosedEarly]},
		{errors.New("malformed HTTP response"), webhook.FailureInvalidResponse, failureTexts[webhook.FailureInvalidResponse]},
		{&OutboundError{Kind: webhook.FailureDNS, cause: context.DeadlineExceeded}, webhook.FailureDNS, failureTexts[webhook.FailureDNS]},
		{&OutboundError{Kind: webhook.FailureTLS, cause: io.EOF}, webhook.FailureTLS, failureTexts[webhook.FailureTLS]},
	} {
		if kind, detail := classify(c.err, defaultCallTimeout); kind != c.kind || detail != c.detail {
			t.Errorf("%v: %s, %q", c.err, kind, detail)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 27, 20, 37, 0, 0, time.UTC)
	const longest = webhook.MaxRetryAfter
	for value, want := range map[string]time.Duration{
		"120": 2 * time.Minute, "0": 0, "7199": longest - time.Second, "86400": longest, "": 0, "-5": 0, "+5": 0, "1.5": 0, "soon": 0, "1_0": 0, "184467440737095516160s": 0,
		"999999999": longest, "9999999999": longest, "9223372037": longest, "184467440737095516160": longest, "00000000060": time.Minute,
		strings.Repeat("0", 100) + "60": time.Minute, "Fri, 27 Nov 9999 20:39:00 GMT": longest,
		"Fri, 27 Nov 2026 20:39:00 GMT": 2 * time.Minute, "Fri, 27 Nov 2026 20:36:00 GMT": 0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q means %v", value, got)
		}
	}
	for status, want := range map[int]time.Duration{429: time.Minute, 503: time.Minute, 500: 0, 200: 0} {
		url, _ := peer(t, says(fmt.Sprintf("HTTP/1.1 %d X\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status)))
		sender := newSender(t)
		sender.Now = func() time.Time { return now }
		result := sender.Send(t.Context(), Request{URL: url, Body: []byte("{}")})
		if result.RetryAfter != want || !result.StartedAt.Equal(now) {
			t.Errorf("%d: wait %v, started %v", status, result.RetryAfter, result.StartedAt)
		}
	}
}
