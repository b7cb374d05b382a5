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

// idempotencyAge is how long an answer is remembered.
const idempotencyAge = 24 * time.Hour

// Answer says what the caller will be answered, so that an idempotent request stores it in the transaction of
// its change: either both happen or neither does.
func (tx *Tx) Answer(result any) { tx.answer = result }

// AnswerTo is Answer for one of several requests whose changes share the transaction.
func (tx *Tx) AnswerTo(request domain.IdempotentRequest, result any) {
	tx.answers = append(tx.answers, answered{request, result})
}

// rememberAnswer stores the answers of idempotent requests. When another request with the key of one committed first, the
// transaction ends without a trace.
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

// answered is what an idempotent request will be answered.
type answered struct {
	request domain.IdempotentRequest
	answer  any
}

// answeredRequest is whose answer is remembered.
type answeredRequest struct{ Scope, Key string }

// rememberAnswers stores answers and tells of which requests: that of another request with the same key stays. All store in the
// order of scope and key, so that two that meet wait for each other in one direction.
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
	// A row of a day that is over stays until it is swept, and must not stand for an answer.
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

// RememberedAnswer returns the answer of the first request with this key, or nothing when there was none. The
// key of another request is IDEMPOTENCY_KEY_REUSED.
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

// ForgetAnswers removes the answers that are no longer remembered.
func (s *Store) ForgetAnswers(ctx context.Context) error {
	_, err := idempotentRequests.where("i.created_at <= $", s.now().Add(-idempotencyAge)).delete(ctx, s, s.sql)
	return err
}

func sealedFor(request domain.IdempotentRequest) string {
	return "idempotent " + request.Scope + " " + request.Key
}
