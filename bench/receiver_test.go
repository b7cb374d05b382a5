package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestReceiverCountsADeliveryOnce(t *testing.T) {
	t.Parallel()
	r := &rig{remains: &remains{}}
	v := r.newReceiver()
	t.Cleanup(r.end)
	call := func(body string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/hook", strings.NewReader(body))
		v.ServeHTTP(httptest.NewRecorder(), r)
	}
	call(`{"id":"a","n":1}`)
	call(`{"id":"a","n":2}`)
	call(`{"n":3}`)
	call(`{"id":"b"}`)
	if first, last, err := v.await(t.Context(), 2); err != nil || first.After(last) || first.IsZero() {
		t.Errorf("got %s, %s, %v", first, last, err)
	}
	if string(v.body) != `{"id":"a","n":1}` {
		t.Errorf("first body: got %s", v.body)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := v.await(ended, 3); err == nil || !strings.Contains(err.Error(), "2 of 3 deliveries") {
		t.Errorf("third delivery: got %v", err)
	}
	call(`{"id":"c","data":{"tid":"NUMBER-00000001"}}`)
	call(`{"id":"d","data":{"tid":"NUMBER-00000002"}}`)
	call(`{"id":"d","data":{"tid":"NUMBER-00000003"}}`)
	long := func(number int) time.Time { return time.Now().Add(-time.Duration(number) * time.Hour) }
	if times, err := v.since(2, long); err != nil || len(times) != 2 || times[1] < 119*time.Minute || times[0] > 61*time.Minute {
		t.Errorf("got %v, %v", times, err)
	}
	if _, err := v.since(3, long); err == nil {
		t.Error("accepted a missing event")
	}
	v.forget()
	if _, _, err := v.await(ended, 1); err == nil {
		t.Error("still counts deliveries from before forget")
	}
}
