package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
)

// guessed are the credentials that are looked up, each well formed and unknown, by the ways in which they are sent.
func guessed() map[string]caller {
	return map[string]caller{
		"a key": bearer(domain.NewSecret(domain.APIKeySecret)), "a session": bearer(domain.NewSecret(domain.SessionSecret)),
		"a device": {"Token": domain.NewSecret(domain.DeviceSecret)},
		"a cookie": {"Cookie": "ticketgate-session=" + domain.NewSecret(domain.SessionSecret)},
	}
}

func (c caller) from(address string) caller {
	further := caller{"X-Forwarded-For": address}
	maps.Copy(further, c)
	return further
}

// ask calls GraphQL and returns the status with Retry-After.
func (h *house) ask(t *testing.T, who caller) (status int, retryAfter string) {
	t.Helper()
	lines := make([]string, 0, len(who))
	for name, value := range who {
		lines = append(lines, name+": "+value)
	}
	got := h.sendJSON(t, http.MethodPost, "/graphql", object{"query": "{permissions}"}, lines...)
	return got.status, got.waits
}

// LIMIT-21: 10 failures at once, and one more each second.
func TestGuessedCredentialsAreBoundedByAddress(t *testing.T) {
	t.Parallel()
	h := openHouse(t, "TICKETGATE_FAILED_CREDENTIAL_RATE=1", "TICKETGATE_TRUSTED_PROXIES=loopback")
	for range 50 { // a mistyped key costs nothing
		if status, _ := h.ask(t, bearer("key_mistyped").from("192.0.2.1")); status != http.StatusUnauthorized {
			t.Fatalf("a mistyped key: %d", status)
		}
	}
	for i, name := range slices.Sorted(maps.Keys(guessed())) {
		address, refused, limited := fmt.Sprintf("2001:db8:0:%d::1", i), 0, 0
		for range 30 {
			switch status, wait := h.ask(t, guessed()[name].from(address)); {
			case status == http.StatusUnauthorized:
				refused++
			case status == http.StatusTooManyRequests && wait == "1":
				limited++
			default:
				t.Fatalf("%s: %d, Retry-After %q", name, status, wait)
			}
		}
		if refused < 10 || (limited == 0) != (name == "a cookie") { // a browser must forget its cookie
			t.Errorf("%s: %d were refused and %d limited", name, refused, limited)
		}
	}
	if status, _ := h.ask(t, guessed()["a key"].from("192.0.2.2")); status != http.StatusUnauthorized {
		t.Errorf("another address: %d", status)
	}
	rest := h.send(t, http.MethodGet, "/api/keys/info", "", "", "X-Forwarded-For: 192.0.2.3", asKey(domain.NewSecret(domain.APIKeySecret)))
	if rest.status != http.StatusUnauthorized {
		t.Errorf("REST: %+v", rest)
	}
	for range 20 {
		rest = h.send(t, http.MethodGet, "/api/keys/info", "", "", "X-Forwarded-For: 192.0.2.3", asKey(domain.NewSecret(domain.APIKeySecret)))
	}
	if rest.status != http.StatusTooManyRequests || rest.waits != "1" {
		t.Errorf("REST, many times: %+v", rest)
	}
}

// Valid credentials that this process has not seen before pass as well.
func TestValidCredentialsPassBesideGuesses(t *testing.T) {
	t.Parallel()
	h := openHouse(t, "TICKETGATE_FAILED_CREDENTIAL_RATE=1")
	seller := h.world.Sellers[0]
	valid := map[string]caller{
		"a key": bearer(seller.APIKey), "a device": deviceOf(seller), "the platform": bearer(rightToken),
		"a session": h.session(t, seller.ViewerEmail, seller.ViewerPassword),
	}
	for i := 0; ; i++ {
		if status, _ := h.ask(t, guessed()["a key"]); status == http.StatusTooManyRequests {
			break
		}
		if i > 100 {
			t.Fatal("guesses are not bounded")
		}
	}
	for name, who := range valid {
		for range 20 {
			if status, _ := h.ask(t, who); status != http.StatusOK {
				t.Errorf("%s at the same address: %d", name, status)
			}
		}
	}
}

// noOneKnown is an authenticator that knows no credential and waits until it is told to continue.
type noOneKnown struct {
	mutex     sync.Mutex
	now, most int
	entered   chan struct{}
	goOn      chan struct{}
}

// Authenticate counts the calls at the same time.
func (c *noOneKnown) Authenticate(context.Context, apikey.Credentials) (*domain.Actor, error) {
	c.enter(1)
	defer c.enter(-1)
	c.entered <- struct{}{}
	<-c.goOn
	return nil, domain.Unauthenticated("")
}

func (c *noOneKnown) enter(by int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now += by
	c.most = max(c.most, c.now)
}

func TestGuessesAreLookedUpOneAtATime(t *testing.T) {
	t.Parallel()
	inner := &noOneKnown{entered: make(chan struct{}, 100), goOn: make(chan struct{})}
	bound := newGuesses(inner, &Config{})
	bound.failed = &limiter{rate: rate.Every(time.Hour), burst: 1, newer: map[string]*rate.Limiter{}}
	for n := range 2 {
		must(t, bound.failed.take(fmt.Sprintf("192.0.2.%d", n), time.Now()))
	}
	var calls sync.WaitGroup
	for n := range 10 {
		ctx := domain.WithCall(t.Context(), domain.Call{Address: fmt.Sprintf("192.0.2.%d", n%2)})
		sent := apikey.Credentials{Bearer: []string{"Bearer " + domain.NewSecret(domain.APIKeySecret)}}
		calls.Go(func() {
			if _, err := bound.Authenticate(ctx, sent); !domain.HasCode(err, domain.CodeRateLimited) {
				t.Errorf("got %v", err)
			}
		})
	}
	for range 10 {
		<-inner.entered
		inner.goOn <- struct{}{}
	}
	calls.Wait()
	if inner.most > 2 {
		t.Errorf("%d were looked up at the same time, of two addresses", inner.most)
	}
}
