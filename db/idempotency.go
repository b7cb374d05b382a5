package db

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
)

type idempotentRow struct {
	bun.BaseModel `bun:"table:idempotent_requests,alias:i"`

	Scope        string    `bun:"scope,pk"`
	Key          string    `bun:"key,pk"`
	BodyDigest   []byte    `bun:"body_digest"`
	SealedAnswer []byte    `bun:"sealed_answer"`
	CreatedAt    time.Time `bun:"created_at"`
}

var idempotentRequests = &source[idempotentRow]{}

// responseRetention is how long a response is stored.
const responseRetention = 24 * time.Hour

// SetResponse sets the response to the caller. If the request is idempotent, the response is stored in the transaction of
// the change.
func (tx *Tx) SetResponse(result any) { tx.response = result }

// SetResponseTo is like SetResponse, for one of several requests whose changes share the transaction.
func (tx *Tx) SetResponseTo(request domain.IdempotentRequest, result any) {
	tx.responses = append(tx.responses, idempotentResponse{request, result})
}

// storeResponse stores the responses of idempotent requests. If another request with one of the keys has committed
// first, the transaction is rolled back.
func (tx *Tx) storeResponse(ctx context.Context) error {
	if request, ok := domain.IdempotentRequestOf(ctx); ok && tx.response != nil {
		tx.SetResponseTo(request, tx.response)
	}
	if len(tx.responses) == 0 {
		return nil
	}
	stored, err := tx.storeResponses(ctx, tx.responses)
	if err == nil && len(stored) < len(tx.responses) {
		err = domain.AlreadyAnswered()
	}
	return err
}

// idempotentResponse is the response of an idempotent request.
type idempotentResponse struct {
	request domain.IdempotentRequest
	answer  any
}

// requestKey identifies the request of a stored response.
type requestKey struct{ Scope, Key string }

// storeResponses stores responses and returns the requests whose response was stored. Existing responses are kept. All
// transactions store in the order of scope and key, to prevent deadlocks.
func (tx *Tx) storeResponses(ctx context.Context, responses []idempotentResponse) (map[requestKey]bool, error) {
	ordered := slices.SortedFunc(slices.Values(responses), func(a, b idempotentResponse) int {
		return cmp.Or(cmp.Compare(a.request.Scope, b.request.Scope), cmp.Compare(a.request.Key, b.request.Key))
	})
	var scopes, keys []string
	var digests, sealed [][]byte
	for _, item := range ordered {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(item.answer); err != nil {
			return nil, err
		}
		scopes, keys = append(scopes, item.request.Scope), append(keys, item.request.Key)
		digests = append(digests, item.request.Digest[:])
		sealed = append(sealed, tx.store.sealer.Seal(sealedFor(item.request), text.Bytes()))
	}
	now := tx.store.now()
	// An expired row is replaced: although it has not been deleted yet, it must not count as a response.
	found, err := rows[requestKey](ctx, tx.store, tx, `INSERT INTO idempotent_requests AS i
			(scope, key, body_digest, sealed_answer, created_at)
		SELECT a.scope, a.key, a.body_digest, a.sealed_answer, $5
		FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) AS a (scope, key, body_digest, sealed_answer)
		ON CONFLICT (scope, key) DO UPDATE SET body_digest = excluded.body_digest, sealed_answer = excluded.sealed_answer,
			created_at = excluded.created_at WHERE i.created_at <= $6
		RETURNING scope, key`, scopes, keys, digests, sealed, now, now.Add(-responseRetention))
	stored := make(map[requestKey]bool, len(found))
	for _, item := range found {
		stored[item] = true
	}
	return stored, err
}

// StoredResponse returns the response to the first request with this key, or nil if there was none. It returns
// IDEMPOTENCY_KEY_REUSED if that request was different.
func (s *Store) StoredResponse(ctx context.Context, request domain.IdempotentRequest) (json.RawMessage, error) {
	found, err := idempotentRequests.where("i.scope = $ AND i.key = $ AND i.created_at > $", request.Scope, request.Key,
		s.now().Add(-responseRetention)).rows(ctx, s, s.sql)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if !bytes.Equal(found[0].BodyDigest, request.Digest[:]) {
		return nil, domain.NewError(domain.CodeIdempotencyKeyReused,
			"This Idempotency-Key was used with another query or body; use a new key for a new request")
	}
	return s.sealer.Open(sealedFor(request), found[0].SealedAnswer)
}

// PurgeResponses deletes expired responses.
func (s *Store) PurgeResponses(ctx context.Context) error {
	_, err := idempotentRequests.where("i.created_at <= $", s.now().Add(-responseRetention)).delete(ctx, s, s.sql)
	return err
}

func sealedFor(request domain.IdempotentRequest) string {
	return "idempotent " + request.Scope + " " + request.Key
}
