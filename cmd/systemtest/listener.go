package systemtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Received is one call of a listener.
type Received struct {
	Body   string
	Header http.Header
}

// NewListener starts a listener that reports each call and then responds with the status that answer returns. answer
// may block.
func NewListener(t *testing.T, answer func(call int) int) (url string, calls <-chan Received) {
	t.Helper()
	return NewReader(t, func(call int, _ Received) int { return answer(call) })
}

// NewReader is like NewListener, but answer also gets the call itself.
func NewReader(t *testing.T, answer func(call int, got Received) int) (url string, calls <-chan Received) {
	t.Helper()
	reported := make(chan Received, 1000)
	numbers := make(chan int, 1)
	numbers <- 1
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		number := <-numbers
		numbers <- number + 1
		got := Received{string(body), r.Header}
		reported <- got
		w.WriteHeader(answer(number, got))
	}))
	t.Cleanup(listener.Close)
	return listener.URL + "/hook", reported
}

// Await returns the next call. It fails the test if none arrives within bound.
func Await(t *testing.T, calls <-chan Received, bound time.Duration) Received {
	t.Helper()
	select {
	case call := <-calls:
		return call
	case <-time.After(bound):
		t.Fatalf("no call within %v", bound)
		return Received{}
	}
}
