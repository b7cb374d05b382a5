package jobs

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"ticketgate/domain/webhook"
)

// Many listeners close a kept connection without notice. A call that finds it closed is sent again on a new connection.
// The first call on a connection is not.
func TestAClosedKeptConnectionCostsNoAttempt(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
	url, connections := peer(t, func(c *net.TCPConn) {
		says(answer)(c)
		readRequest(c) // not a byte more
	})
	sender := newSender(t)
	for range 3 {
		if result := sender.Send(t.Context(), Request{URL: url, Body: []byte("{}")}); result.Status != http.StatusOK {
			t.Errorf("ended as %+v", result)
		}
	}
	if count := connections.Load(); count != 3 {
		t.Errorf("%d connections", count)
	}
	url, connections = peer(t, func(c *net.TCPConn) { readRequest(c) })
	if result := sender.Send(t.Context(), Request{URL: url, Body: []byte("{}")}); result.Failure != webhook.FailureClosedEarly || connections.Load() != 1 {
		t.Errorf("%d calls to a listener that never responds ended as %+v", connections.Load(), result)
	}
}

// However many connections are kept, a call that crashes its listener is made twice: on one of them and on a new one.
func TestACallThatCrashesItsListenerIsRepeatedOnce(t *testing.T) {
	const kept = 5
	var deadly atomic.Int32
	var arrivals, calls sync.WaitGroup
	arrivals.Add(kept)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/deadly" {
			deadly.Add(1)
			panic(http.ErrAbortHandler)
		}
		arrivals.Done()
		arrivals.Wait() // wait for the others, so that each has its own connection
	}))
	t.Cleanup(server.Close)
	sender := newSender(t)
	for range kept {
		calls.Go(func() { sender.Send(t.Context(), Request{URL: server.URL, Body: []byte("{}")}) })
	}
	calls.Wait()
	result := sender.Send(t.Context(), Request{URL: server.URL + "/deadly", Body: []byte("{}")})
	if got := deadly.Load(); result.Failure != webhook.FailureClosedEarly || got != 2 {
		t.Errorf("%d calls ended as %+v", got, result)
	}
}
