package edge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"ticketgate/domain"
)

// IdempotencyStore stores the responses to idempotent requests.
type IdempotencyStore interface {
	// StoredResponse returns the response to the first request with this key, or nil if there was none.
	StoredResponse(ctx context.Context, request domain.IdempotentRequest) (json.RawMessage, error)
}

// Once runs a request with an Idempotency-Key at most once. Within a day, a repetition with the same query and body gets
// the first response, and one with others gets IDEMPOTENCY_KEY_REUSED. Failed requests can be repeated. The request's
// context must have the actor. A request without the header simply runs.
func Once(r *http.Request, store IdempotencyStore, do func(*http.Request) (any, error)) (any, error) {
	if len(r.Header.Values("Idempotency-Key")) == 0 {
		return do(r)
	}
	request, err := idempotentRequest(r)
	if err != nil {
		return nil, err
	}
	if stored, err := store.StoredResponse(r.Context(), request); stored != nil || err != nil {
		return stored, err
	}
	body, err := do(r.WithContext(domain.WithIdempotentRequest(r.Context(), request)))
	if domain.HasCode(err, domain.CodeAnsweredBefore) {
		return store.StoredResponse(r.Context(), request)
	}
	return body, err
}

// idempotentRequest reads the key, the query and the body, and makes the body readable again.
func idempotentRequest(r *http.Request) (domain.IdempotentRequest, error) {
	actor := domain.ActorOf(r.Context())
	if err := checkKeys(r.Header.Values("Idempotency-Key"), actor.Kind != domain.Nobody); err != nil {
		return domain.IdempotentRequest{}, err
	}
	raw, err := ReadBody(r, MaxBody)
	if err != nil {
		return domain.IdempotentRequest{}, err
	}
	r.Body = &readBody{Reader: bytes.NewReader(raw), text: raw}
	return domain.IdempotentRequest{
		Scope: fmt.Sprintf("%d/%s/%s %s", actor.Kind, actor.ID+buyerOf(r), actor.SellerID, r.URL.Path),
		Key:   r.Header.Get("Idempotency-Key"), Digest: digestOf(raw, r.URL.RawQuery),
	}, nil
}

// The limits of an Idempotency-Key. Without a credential, a key must be hard to guess and unlikely to be chosen twice: a
// request with the same key gets the first response, including its secret (EDGE-9).
const (
	maxKey        = 255
	minOpenKey    = 16
	minCharacters = 8
)

func checkKeys(keys []string, credential bool) error {
	shortest, different := 1, 1
	rule := fmt.Sprintf("Idempotency-Key must be one value of 1 to %d printable ASCII characters", maxKey)
	if !credential {
		shortest, different = minOpenKey, minCharacters
		rule = fmt.Sprintf("Without a credential, Idempotency-Key must be one value of %d to %d printable ASCII characters, "+
			"at least %d of them different, such as a random UUID", minOpenKey, maxKey, minCharacters)
	}
	if len(keys) != 1 || len(keys[0]) < shortest || len(keys[0]) > maxKey || !printable(keys[0]) || distinct(keys[0]) < different {
		return domain.NewError(domain.CodeInvalidRequest, rule)
	}
	return nil
}

func distinct(text string) int {
	seen := map[rune]bool{}
	for _, c := range text {
		seen[c] = true
	}
	return len(seen)
}

// digestOf returns the digest of a body and a query. Without a query, it is the digest of the body alone. JSON contains
// no NUL, which makes the separator unambiguous.
func digestOf(body []byte, query string) [sha256.Size]byte {
	if query == "" {
		return sha256.Sum256(body)
	}
	return sha256.Sum256(append(append(slices.Clone(body), 0), query...))
}

// buyerOf distinguishes callers without a credential by their address, the shop's page and the checkout's secret. The
// secret is included because the stored response is returned before the secret is checked.
func buyerOf(r *http.Request) string {
	if domain.ActorOf(r.Context()).Kind != domain.Nobody {
		return ""
	}
	call := domain.CallOf(r.Context())
	sent := sha256.Sum256([]byte(call.CheckoutSecret + "\n" + call.Origin + "\n" + r.URL.RawQuery))
	return call.Address + "#" + hex.EncodeToString(sent[:])
}

func printable(text string) bool {
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
