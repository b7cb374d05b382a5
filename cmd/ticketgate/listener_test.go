package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// received is one call of a webhook.
type received struct {
	body   string
	header http.Header
}

// newListener starts a listener that reports each call before it answers. Answer may block for as long as it likes.
func newListener(t *testing.T, answer func(call int) int) (url string, calls <-chan received) {
	t.Helper()
	return newReader(t, func(call int, _ received) int { return answer(call) })
}

// newReader starts a listener whose answer depends on what it receives.
func newReader(t *testing.T, answer func(call int, got received) int) (url string, calls <-chan received) {
	t.Helper()
	reported := make(chan received, 1000)
	numbers := make(chan int, 1)
	numbers <- 1
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		number := <-numbers
		numbers <- number + 1
		got := received{string(body), r.Header}
		reported <- got
		w.WriteHeader(answer(number, got))
	}))
	t.Cleanup(listener.Close)
	return listener.URL + "/hook", reported
}

// await returns the next call, which must come in time.
func await(t *testing.T, calls <-chan received, bound time.Duration) received {
	t.Helper()
	select {
	case call := <-calls:
		return call
	case <-time.After(bound):
		t.Fatalf("no call within %v", bound)
		return received{}
	}
}
