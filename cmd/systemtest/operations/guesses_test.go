package operations

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain/secrets"
)

// guessed returns well-formed unknown credentials, by the way in which they are sent.
func guessed() map[string]apitest.Caller {
	return map[string]apitest.Caller{
		"a key": apitest.Bearer(secrets.New(secrets.APIKey)), "a session": apitest.Bearer(secrets.New(secrets.Session)),
		"a device": {"Token": secrets.New(secrets.Device)},
		"a cookie": {"Cookie": "ticketgate-session=" + secrets.New(secrets.Session)},
	}
}

// ask calls GraphQL and returns the status and Retry-After.
func ask(t *testing.T, h *apitest.Server, who apitest.Caller) (status int, retryAfter string) {
	t.Helper()
	lines := make([]string, 0, len(who))
	for name, value := range who {
		lines = append(lines, name+": "+value)
	}
	got := h.SendJSON(t, http.MethodPost, "/graphql", object{"query": "{permissions}"}, lines...)
	return got.Status, got.Waits
}

// LIMIT-21: 10 failures at once, and one more per second.
func TestGuessedCredentialsAreBoundedByAddress(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, "TICKETGATE_FAILED_CREDENTIAL_RATE=1", "TICKETGATE_TRUSTED_PROXIES=loopback")
	for range 50 { // a mistyped key is not counted
		if status, _ := ask(t, h, apitest.Bearer("key_mistyped").From("192.0.2.1")); status != http.StatusUnauthorized {
			t.Fatalf("a mistyped key: %d", status)
		}
	}
	for i, name := range slices.Sorted(maps.Keys(guessed())) {
		address, refused, limited := fmt.Sprintf("2001:db8:0:%d::1", i), 0, 0
		for range 30 {
			switch status, wait := ask(t, h, guessed()[name].From(address)); {
			case status == http.StatusUnauthorized:
				refused++
			case status == http.StatusTooManyRequests && wait == "1":
				limited++
			default:
				t.Fatalf("%s: %d, Retry-After %q", name, status, wait)
			}
		}
		if refused < 10 || (limited == 0) != (name == "a cookie") { // a browser must drop its cookie
			t.Errorf("%s: %d were refused and %d limited", name, refused, limited)
		}
	}
	if status, _ := ask(t, h, guessed()["a key"].From("192.0.2.2")); status != http.StatusUnauthorized {
		t.Errorf("another address: %d", status)
	}
	rest := h.Send(t, http.MethodGet, "/api/keys/info", "", "", "X-Forwarded-For: 192.0.2.3", systemtest.AsKey(secrets.New(secrets.APIKey)))
	if rest.Status != http.StatusUnauthorized {
		t.Errorf("REST: %+v", rest)
	}
	for range 20 {
		rest = h.Send(t, http.MethodGet, "/api/keys/info", "", "", "X-Forwarded-For: 192.0.2.3", systemtest.AsKey(secrets.New(secrets.APIKey)))
	}
	if rest.Status != http.StatusTooManyRequests || rest.Waits != "1" {
		t.Errorf("REST, many times: %+v", rest)
	}
}

// Valid credentials that this process has not seen before are accepted.
func TestValidCredentialsPassDuringGuesses(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, "TICKETGATE_FAILED_CREDENTIAL_RATE=1")
	seller := h.Demo.Sellers[0]
	valid := map[string]apitest.Caller{
		"a key": apitest.Bearer(seller.APIKey), "a device": apitest.DeviceOf(seller), "the platform": apitest.Bearer(systemtest.SystemToken),
		"a session": h.Session(t, seller.ViewerEmail, seller.ViewerPassword),
	}
	for i := 0; ; i++ {
		if status, _ := ask(t, h, guessed()["a key"]); status == http.StatusTooManyRequests {
			break
		}
		if i > 100 {
			t.Fatal("guesses are not limited")
		}
	}
	for name, who := range valid {
		for range 20 {
			if status, _ := ask(t, h, who); status != http.StatusOK {
				t.Errorf("%s at the same address: %d", name, status)
			}
		}
	}
}
