package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// server starts a server with the handler. The api has no credential.
func server(t *testing.T, handler http.HandlerFunc) api {
	t.Helper()
	started := httptest.NewServer(handler)
	t.Cleanup(started.Close)
	return api{url: started.URL, header: http.Header{}}
}

func TestLoadSendsEachRequestOnceOnKeptConnections(t *testing.T) {
	t.Parallel()
	var (
		mu      sync.Mutex
		numbers = map[string]int{}
		peers   = map[string]bool{}
	)
	as := server(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		numbers[strings.TrimSpace(string(body))]++
		peers[r.RemoteAddr] = true
		w.WriteHeader(http.StatusCreated)
	})
	const limit = 300
	f, err := load{
		address: as.address(), connections: 4, limit: limit, accept: wants(http.StatusCreated),
		request: func(number int) []byte { return as.request(http.MethodPost, "/n", number) },
	}.run(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if f.count != limit || len(numbers) != limit || numbers["1"] != 1 || numbers[strconv.Itoa(limit)] != 1 {
		t.Errorf("counted %d, the server saw %d numbers, the first %d and the last %d times",
			f.count, len(numbers), numbers["1"], numbers[strconv.Itoa(limit)])
	}
	if len(peers) > 4 {
		t.Errorf("used %d connections, want at most 4", len(peers))
	}
	if f.p50 <= 0 || f.p99 < f.p50 {
		t.Errorf("times: p50 %s, p99 %s", f.p50, f.p99)
	}
}

func TestLoadFailsOnAnUnexpectedResponse(t *testing.T) {
	t.Parallel()
	answers := 0
	as := server(t, func(w http.ResponseWriter, _ *http.Request) {
		answers++
		if answers == 5 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = w.Write([]byte(`{"same":true}`))
	})
	requests, err := as.load(t.Context(), as.request(http.MethodGet, "/", nil))
	if err != nil {
		t.Fatal(err)
	}
	requests.connections = 1
	if _, err = requests.run(t.Context(), time.Minute); err == nil || !strings.Contains(err.Error(), "got status 503, want 200") {
		t.Errorf("got %v", err)
	}
}

func TestLoadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	as := server(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done() // never responds
	})
	hanging := load{
		address: as.address(), connections: 2, accept: wants(http.StatusOK),
		request: func(int) []byte { return as.request(http.MethodGet, "/", nil) },
	}
	if _, err := hanging.run(ctx, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRepeatsRefusesOtherBytes(t *testing.T) {
	t.Parallel()
	accept := repeats(http.StatusOK, []byte("first"))
	if err := accept(http.StatusOK, []byte("first")); err != nil {
		t.Error(err)
	}
	if accept(http.StatusOK, []byte("other")) == nil || accept(http.StatusCreated, []byte("first")) == nil {
		t.Error("accepted a different body or status")
	}
}

func TestGraphQLErrorsAreNotMeasured(t *testing.T) {
	t.Parallel()
	as := server(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"errors":[{}]}`)) })
	if _, err := as.load(t.Context(), as.graphql("{ me { id } }", nil)); err == nil {
		t.Error("accepted a response with errors")
	}
	if published(http.StatusOK, []byte(`{"errors":[{}]}`)) == nil {
		t.Error("a refused event counts as published")
	}
}
