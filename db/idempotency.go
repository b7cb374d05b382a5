package db

import (
	"bytes"
	"context"
	"encoding/json"
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

// idempotencyAge is how long an answer is remembered.
const idempotencyAge = 24 * time.Hour

// Answer says what the caller will be answered, so that an idempotent request stores it in the transaction of
// its change: either both happen or neither does.
func (tx *Tx) Answer(result any) { tx.answer = result }

// rememberAnswer stores the answer when the request is idempotent. When another request with its key committed
// first, this one ends without a trace.
func (tx *Tx) rememberAnswer(ctx context.Context) error {
	request, ok := domain.IdempotentRequestOf(ctx)
	if !ok || tx.answer == nil {
		return nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(tx.answer); err != nil {
		return err
	}
	now := tx.store.now()
	answered := idempotentRow{
		Scope: request.Scope, Key: request.Key, BodyDigest: request.Digest[:],
		SealedAnswer: tx.store.sealer.Seal(sealedFor(request), text.Bytes()), CreatedAt: now,
	}
	// A row of a day that is over stays until it is swept, and must not stand for an answer.
	stored, err := tx.NewInsert().Model(&answered).On("CONFLICT (scope, key) DO UPDATE").
		Set("body_digest = EXCLUDED.body_digest, sealed_answer = EXCLUDED.sealed_answer, created_at = EXCLUDED.created_at").
		Where("i.created_at <= ?", now.Add(-idempotencyAge)).Exec(ctx)
	if err != nil {
		return mapError(err)
	}
	if count, err := stored.RowsAffected(); err != nil || count > 0 {
		return mapError(err)
	}
	return domain.AnsweredBefore()
}

// RememberedAnswer returns the answer of the first request with this key, or nothing when there was none. The
// key of another request is IDEMPOTENCY_KEY_REUSED.
func (s *Store) RememberedAnswer(ctx context.Context, request domain.IdempotentRequest) (json.RawMessage, error) {
	const query = "SELECT * FROM idempotent_requests WHERE scope = $1 AND key = $2 AND created_at > $3"
	found, err := rows[idempotentRow](ctx, s, s.sql, query, request.Scope, request.Key, s.now().Add(-idempotencyAge))
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
	_, err := exec(ctx, s.sql, "DELETE FROM idempotent_requests WHERE created_at <= $1", s.now().Add(-idempotencyAge))
	return err
}

func sealedFor(request domain.IdempotentRequest) string {
	return "idempotent " + request.Scope + " " + request.Key
}
