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

// ofQuery is what the scope of a request's second row begins with, which no other scope does. The row has the digest of the
// query: in the first one it would make another request of each one that a process of an earlier release, which knows only
// bodies, has answered or is asked again.
const ofQuery = "query of "

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
	said := []idempotentRow{
		{
			Scope: request.Scope, Key: request.Key, BodyDigest: request.BodyDigest[:],
			SealedAnswer: tx.store.sealer.Seal(sealedFor(request), text.Bytes()), CreatedAt: now,
		},
		{
			Scope: ofQuery + request.Scope, Key: request.Key, BodyDigest: request.QueryDigest[:],
			SealedAnswer: []byte{}, CreatedAt: now,
		},
	}
	// Rows of a day that is over stay until they are swept, and must not stand for an answer.
	stored, err := tx.NewInsert().Model(&said).On("CONFLICT (scope, key) DO UPDATE").
		Set("body_digest = EXCLUDED.body_digest, sealed_answer = EXCLUDED.sealed_answer, created_at = EXCLUDED.created_at").
		Where("i.created_at <= ?", now.Add(-idempotencyAge)).Exec(ctx)
	if err != nil {
		return mapError(err)
	}
	count, err := stored.RowsAffected()
	if err == nil && count < int64(len(said)) {
		err = domain.AnsweredBefore()
	}
	return mapError(err)
}

// RememberedAnswer returns the answer of the first request with this key, or nothing when there was none. The
// key with another query or body is IDEMPOTENCY_KEY_REUSED.
func (s *Store) RememberedAnswer(ctx context.Context, request domain.IdempotentRequest) (json.RawMessage, error) {
	const query = "SELECT * FROM idempotent_requests WHERE scope IN ($1, $2) AND key = $3 AND created_at > $4 ORDER BY scope"
	found, err := rows[idempotentRow](ctx, s, s.sql, query,
		request.Scope, ofQuery+request.Scope, request.Key, s.now().Add(-idempotencyAge))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if !bytes.Equal(found[0].BodyDigest, request.BodyDigest[:]) {
		return nil, reused("body")
	}
	if len(found) > 1 && !bytes.Equal(found[1].BodyDigest, request.QueryDigest[:]) {
		return nil, reused("query")
	}
	return s.sealer.Open(sealedFor(request), found[0].SealedAnswer)
}

func reused(with string) error {
	return domain.NewError(domain.CodeIdempotencyKeyReused,
		"This Idempotency-Key was used with another "+with+"; use a new key for a new request")
}

// ForgetAnswers removes the answers that are no longer remembered.
func (s *Store) ForgetAnswers(ctx context.Context) error {
	_, err := exec(ctx, s.sql, "DELETE FROM idempotent_requests WHERE created_at <= $1", s.now().Add(-idempotencyAge))
	return err
}

func sealedFor(request domain.IdempotentRequest) string {
	return "idempotent " + request.Scope + " " + request.Key
}
