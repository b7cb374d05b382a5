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

// idempotencyAge is how long a response is stored.
const idempotencyAge = 24 * time.Hour

// Answer sets the response to the caller. If the request is idempotent, the response is stored in the transaction of
// the change.
func (tx *Tx) Answer(result any) { tx.answer = result }

// AnswerTo is like Answer, for one of several requests whose changes share the transaction.
func (tx *Tx) AnswerTo(request domain.IdempotentRequest, result any) {
	tx.answers = append(tx.answers, answered{request, result})
}

// rememberAnswer stores the responses of idempotent requests. If another request with one of the keys has committed
// first, the transaction is rolled back.
func (tx *Tx) rememberAnswer(ctx context.Context) error {
	if request, ok := domain.IdempotentRequestOf(ctx); ok && tx.answer != nil {
		tx.AnswerTo(request, tx.answer)
	}
	if len(tx.answers) == 0 {
		return nil
	}
	stored, err := tx.rememberAnswers(ctx, tx.answers)
	if err == nil && len(stored) < len(tx.answers) {
		err = domain.AnsweredBefore()
	}
	return err
}

// answered is the response of an idempotent request.
type answered struct {
	request domain.IdempotentRequest
	answer  any
}

// answeredRequest identifies the request of a stored response.
type answeredRequest struct{ Scope, Key string }

// rememberAnswers stores responses and returns the requests whose response was stored. Existing responses are kept. All
// transactions store in the order of scope and key, to prevent deadlocks.
func (tx *Tx) rememberAnswers(ctx context.Context, answers []answered) (map[answeredRequest]bool, error) {
	ordered := slices.SortedFunc(slices.Values(answers), func(a, b answered) int {
		return cmp.Or(cmp.Compare(a.request.Scope, b.request.Scope), cmp.Compare(a.request.Key, b.request.Key))
	})
	var scopes, keys []string
	var digests, sealed [][]byte
	for _, one := range ordered {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(one.answer); err != nil {
			return nil, err
		}
		scopes, keys = append(scopes, one.request.Scope), append(keys, one.request.Key)
		digests = append(digests, one.request.Digest[:])
		sealed = append(sealed, tx.store.sealer.Seal(sealedFor(one.request), text.Bytes()))
	}
	now := tx.store.now()
	// An expired row is replaced: although it has not been deleted yet, it must not count as a response.
	found, err := rows[answeredRequest](ctx, tx.store, tx, `INSERT INTO idempotent_requests AS i
			(scope, key, body_digest, sealed_answer, created_at)
		SELECT a.scope, a.key, a.body_digest, a.sealed_answer, $5
		FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) AS a (scope, key, body_digest, sealed_answer)
		ON CONFLICT (scope, key) DO UPDATE SET body_digest = excluded.body_digest, sealed_answer = excluded.sealed_answer,
			created_at = excluded.created_at WHERE i.created_at <= $6
		RETURNING scope, key`, scopes, keys, digests, sealed, now, now.Add(-idempotencyAge))
	stored := make(map[answeredRequest]bool, len(found))
	for _, one := range found {
		stored[one] = true
	}
	return stored, err
}

// RememberedAnswer returns the response to the first request with this key, or nil if there was none. It returns
// IDEMPOTENCY_KEY_REUSED if that request was different.
func (s *Store) RememberedAnswer(ctx context.Context, request domain.IdempotentRequest) (json.RawMessage, error) {
	found, err := idempotentRequests.where("i.scope = $ AND i.key = $ AND i.created_at > $", request.Scope, request.Key,
		s.now().Add(-idempotencyAge)).rows(ctx, s, s.sql)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if !bytes.Equal(found[0].BodyDigest, request.Digest[:]) {
		return nil, domain.NewError(domain.CodeIdempotencyKeyReused,
			"This Idempotency-Key was used with another query or body; use a new key for a new request")
	}
	return s.sealer.Open(sealedFor(request), found[0].SealedAnswer)
}

// ForgetAnswers deletes expired responses.
func (s *Store) ForgetAnswers(ctx context.Context) error {
	_, err := idempotentRequests.where("i.created_at <= $", s.now().Add(-idempotencyAge)).delete(ctx, s, s.sql)
	return err
}

func sealedFor(request domain.IdempotentRequest) string {
	return "idempotent " + request.Scope + " " + request.Key
}
