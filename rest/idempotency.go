package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// Answers remembers what idempotent requests were answered.
type Answers interface {
	RememberedAnswer(ctx context.Context, request domain.IdempotentRequest) (json.RawMessage, error)
}

// once carries out a POST with an Idempotency-Key at most once: repeated within a day with the same query and
// body it gets the first answer again, with others 422 (decisions 2.3). A request that failed may be repeated.
func (router *Router) once(route Route, r *http.Request) (any, error) {
	// A file is not read twice, and staging it twice does no harm.
	if route.Method != http.MethodPost || route.Operation == domain.PreviewEntryImport || len(r.Header.Values("Idempotency-Key")) == 0 {
		return route.endpoint(r)
	}
	request, err := idempotentRequest(r)
	if err != nil {
		return nil, err
	}
	if answer, err := router.answers.RememberedAnswer(r.Context(), request); answer != nil || err != nil {
		return answer, err
	}
	body, err := route.endpoint(r.WithContext(domain.WithIdempotentRequest(r.Context(), request)))
	if domain.HasCode(err, domain.CodeAnsweredBefore) {
		return router.answers.RememberedAnswer(r.Context(), request)
	}
	return body, err
}

// idempotentRequest reads the key, the query and the body, and leaves the body to be read again.
func idempotentRequest(r *http.Request) (domain.IdempotentRequest, error) {
	const longest = 255
	keys := r.Header.Values("Idempotency-Key")
	if len(keys) > 1 || keys[0] == "" || len(keys[0]) > longest || !printable(keys[0]) {
		return domain.IdempotentRequest{}, domain.NewError(domain.CodeInvalidRequest,
			fmt.Sprintf("Idempotency-Key must be one value of 1 to %d printable ASCII characters", longest))
	}
	raw, err := edge.ReadBody(r, edge.MaxBody)
	if err != nil {
		return domain.IdempotentRequest{}, err
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	actor := domain.ActorOf(r.Context())
	return domain.IdempotentRequest{
		Scope: fmt.Sprintf("%d/%s/%s %s", actor.Kind, actor.ID+buyerOf(r), actor.SellerID, r.URL.Path),
		Key:   keys[0], Digest: digestOf(raw, r.URL.RawQuery),
	}, nil
}

// digestOf is that of the body alone where there is no query. JSON holds no NUL: what one ends and the other begins with is the
// same for no two requests.
func digestOf(body []byte, query string) [sha256.Size]byte {
	if query == "" {
		return sha256.Sum256(body)
	}
	return sha256.Sum256(append(append(slices.Clone(body), 0), query...))
}

// buyerOf tells callers without a credential apart: by their address, and by the checkout's secret that they send. An answer
// that is remembered is given before the secret is checked.
func buyerOf(r *http.Request) string {
	if domain.ActorOf(r.Context()).Kind != domain.Nobody {
		return ""
	}
	call := domain.CallOf(r.Context())
	sent := sha256.Sum256([]byte(call.CheckoutSecret + "\n" + r.URL.RawQuery))
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
