package edge

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/domain"
)

func TestIdempotencyKeys(t *testing.T) {
	uuid := "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	for name, row := range map[string]struct {
		keys             []string
		nobody, somebody bool
	}{
		"a UUID":                       {[]string{uuid}, true, true},
		"16 characters, 8 different":   {[]string{"abcdefghabcdefgh"}, true, true},
		"16 characters, 7 different":   {[]string{"abcdefgabcdefgab"}, false, true},
		"15 characters":                {[]string{"abcdefghijklmno"}, false, true},
		"a word and a number":          {[]string{"cart-1"}, false, true},
		"one character, often":         {[]string{strings.Repeat("a", 255)}, false, true},
		"255 characters":               {[]string{strings.Repeat("abcdefgh", 31) + "abcdefg"}, true, true},
		"256 characters":               {[]string{strings.Repeat("abcdefgh", 32)}, false, false},
		"one character":                {[]string{"1"}, false, true},
		"empty":                        {[]string{""}, false, false},
		"two keys":                     {[]string{uuid, uuid}, false, false},
		"not ASCII":                    {[]string{uuid + "é"}, false, false},
		"a control character":          {[]string{uuid + "\t"}, false, false},
		"spaces do not make it longer": {[]string{strings.Repeat(" ", 14) + "ab"}, false, true},
	} {
		if got := checkKeys(row.keys, false) == nil; got != row.nobody {
			t.Errorf("%s, without a credential: %t", name, got)
		}
		if got := checkKeys(row.keys, true) == nil; got != row.somebody {
			t.Errorf("%s, with a credential: %t", name, got)
		}
	}
}

func TestScopeOfAnIdempotencyKey(t *testing.T) {
	scope := func(actor domain.Actor, call domain.Call, target string) string {
		r := httptest.NewRequestWithContext(domain.WithCall(domain.WithActor(t.Context(), &actor), call), http.MethodPost, target, nil)
		r.Header.Set("Idempotency-Key", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
		request, err := idempotentRequest(r)
		if err != nil {
			t.Fatal(err)
		}
		return request.Scope
	}
	key := domain.Actor{Kind: domain.APIKeyActor, ID: "k", SellerID: "s"}
	call := domain.Call{Address: "192.0.2.1", Origin: "https://a.example", CheckoutSecret: "1"}
	scopes := map[string]string{}
	for name, got := range map[string]string{
		"a key":                            scope(key, call, "/api/checkout"),
		"a key at another seller":          scope(domain.Actor{Kind: domain.APIKeyActor, ID: "k", SellerID: "t"}, call, "/api/checkout"),
		"a key at another path":            scope(key, call, "/api/keys"),
		"no credential":                    scope(domain.Actor{}, call, "/api/checkout"),
		"no credential at another address": scope(domain.Actor{}, domain.Call{Address: "192.0.2.2", Origin: "https://a.example", CheckoutSecret: "1"}, "/api/checkout"),
		"no credential on another page":    scope(domain.Actor{}, domain.Call{Address: "192.0.2.1", Origin: "https://b.example", CheckoutSecret: "1"}, "/api/checkout"),
		"another secret":                   scope(domain.Actor{}, domain.Call{Address: "192.0.2.1", Origin: "https://a.example", CheckoutSecret: "2"}, "/api/checkout"),
		"a secret in the query":            scope(domain.Actor{}, call, "/api/checkout?secret=1"),
	} {
		if other, taken := scopes[got]; taken {
			t.Errorf("%s has the same scope as %s", name, other)
		}
		scopes[got] = name
	}
	if scope(key, call, "/api/keys") != scope(key, domain.Call{Address: "192.0.2.9"}, "/api/keys") {
		t.Error("a key has another scope at another address")
	}
}

// noResponses is an empty store.
type noResponses struct{ asked int }

func (n *noResponses) StoredResponse(context.Context, domain.IdempotentRequest) (json.RawMessage, error) {
	n.asked++
	return nil, nil
}

func TestOnce(t *testing.T) {
	answers := &noResponses{}
	do := func(r *http.Request) (any, error) {
		body, err := ReadBody(r, MaxBody)
		_, keyed := domain.IdempotentRequestOf(r.Context())
		return map[bool]string{true: "keyed "}[keyed] + string(body), err
	}
	ask := func(keys ...string) (any, error) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/checkout", strings.NewReader("body"))
		r.Header["Idempotency-Key"] = keys
		return Once(r, answers, do)
	}
	if got, err := ask(); got != "body" || err != nil || answers.asked != 0 {
		t.Errorf("without a key: %v, %v", got, err)
	}
	if got, err := ask("7c9e6679-7425-40de-944b-e07fc1f90ae7"); got != "keyed body" || err != nil || answers.asked != 1 {
		t.Errorf("with a key: %v, %v", got, err)
	}
	if _, err := ask("cart-1"); !domain.HasCode(err, domain.CodeInvalidRequest) || answers.asked != 1 {
		t.Errorf("with a short key: %v", err)
	}
}
