package db

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
)

type attemptRow struct {
	Number        int              `bun:"number"`
	ByHand        bool             `bun:"by_hand"`
	URL           string           `bun:"url"`
	StartedAt     time.Time        `bun:"started_at"`
	DurationMS    int              `bun:"duration_ms"`
	Status        *int             `bun:"status"`
	Failure       *webhook.Failure `bun:"failure"`
	Detail        string           `bun:"detail"`
	ResponseBody  []byte           `bun:"response_body"`
	BodyTruncated bool             `bun:"body_truncated"`
}

// Attempts is the database as the worker that makes attempts needs it.
type Attempts struct{ store *Store }

// Attempts returns what the worker needs.
func (s *Store) Attempts() Attempts { return Attempts{s} }

// Load reads, in one statement, everything that the next attempt of a delivery needs, or NOT_FOUND.
func (a Attempts) Load(ctx context.Context, deliveryID string) (webhook.Outgoing, error) {
	type outgoingRow struct {
		deliveryRow
		eventRow
		Wanted        bool   `bun:"wanted"`
		URL           string `bun:"url"`
		SealedHMACKey []byte `bun:"sealed_hmac_key"`
	}
	found, err := row[outgoingRow](ctx, a.store, a.store.sql, deliveryName,
		"SELECT "+deliveryFields+", "+bodyFields+`, coalesce(w.enabled AND s.webhooks, false) AS wanted,
			coalesce(w.url, '') AS url, w.sealed_hmac_key
		FROM deliveries d JOIN events e ON e.id = d.event_id
		LEFT JOIN webhooks w ON w.id = d.webhook_id AND w.seller_id = d.seller_id
		LEFT JOIN sellers s ON s.id = d.seller_id
		WHERE d.id = $1`, deliveryID)
	if err != nil {
		return webhook.Outgoing{}, err
	}
	out := webhook.Outgoing{Wanted: found.Wanted, URL: found.URL}
	out.Delivery, _ = found.delivery()
	if out.Body, err = found.body(out.Delivery); err != nil {
		return webhook.Outgoing{}, err
	}
	out.Key, err = a.store.openKey(out.Delivery.WebhookID, found.SealedHMACKey)
	return out, err
}

// Record stores an attempt and what it makes of its delivery in one transaction. It is false, and nothing is stored,
// when the delivery has moved on since it was loaded: a process that was paused during the call must not overwrite what
// happened after (the attempt's number is the fence).
func (a Attempts) Record(
	ctx context.Context, of webhook.Delivery, attempt webhook.Attempt, judge func(webhook.Delivery) webhook.Verdict,
) (after webhook.Delivery, recorded bool, err error) {
	err = a.store.transact(ctx, func(tx *Tx) error {
		recorded = false
		now, err := tx.DeliveryForUpdate(ctx, of.SellerID, of.ID)
		if err != nil || now.AttemptCount != attempt.Number-1 || now.State != webhook.Pending {
			return err
		}
		if err := tx.insertAttempt(ctx, of, attempt); err != nil {
			return err
		}
		verdict := judge(now)
		after, recorded = verdict.Delivery, true
		return tx.UpdateDelivery(ctx, verdict)
	})
	return after, recorded && err == nil, err
}

// Cancel ends a delivery that nobody wants any more, unless it has moved on since it was loaded.
func (a Attempts) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) error {
	return a.store.transact(ctx, func(tx *Tx) error {
		now, err := tx.DeliveryForUpdate(ctx, of.SellerID, of.ID)
		if err != nil || now.AttemptCount != of.AttemptCount || now.State != webhook.Pending {
			return err
		}
		return tx.UpdateDelivery(ctx, webhook.Verdict{Delivery: now.Cancel(at)})
	})
}

// Overdue lists deliveries whose wake-up should have come before a time, the longest overdue first: of the
// schedule and by hand at most so many each.
func (a Attempts) Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.WakeUp, error) {
	type overdueRow struct {
		ID     string `bun:"id"`
		ByHand bool   `bun:"by_hand"`
	}
	// A wish that came while a scheduled attempt was due has no wake-up of its own yet.
	overdue, err := rows[overdueRow](ctx, a.store, a.store.sql,
		`(SELECT id, false AS by_hand FROM deliveries
			WHERE state = 'pending' AND next_attempt_at < $1 ORDER BY next_attempt_at LIMIT $2)
		UNION ALL
		(SELECT id, true FROM deliveries WHERE retry_requested AND retriggered_at < $1
			AND (next_attempt_at IS NULL OR next_attempt_at > retriggered_at) ORDER BY retriggered_at LIMIT $2)`, before, limit)
	wakeUps := make([]webhook.WakeUp, len(overdue))
	for i, found := range overdue {
		wakeUps[i] = webhook.WakeUp{DeliveryID: found.ID, Lane: webhook.RetryLane}
		if found.ByHand {
			wakeUps[i].Lane = webhook.ByHandLane
		}
	}
	return wakeUps, err
}

func (tx *Tx) insertAttempt(ctx context.Context, of webhook.Delivery, a webhook.Attempt) error {
	var failure any
	if a.Failure != nil {
		failure = string(*a.Failure)
	}
	body := a.RawBody
	if body == nil {
		body = []byte{}
	}
	_, err := exec(ctx, tx.byHand(), `INSERT INTO attempts (delivery_id, number, webhook_id, by_hand, url, started_at, duration_ms,
		status, failure, detail, response_body, body_truncated) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		of.ID, a.Number, of.WebhookID, a.ByHand, a.URL, a.StartedAt.Time, a.DurationMS,
		a.Status, failure, a.Detail, body, a.ResponseBodyTruncated)
	return err
}

// attempts lists a delivery's attempts in the order they were made.
func (s *Store) attempts(ctx context.Context, deliveryID string) ([]webhook.Attempt, error) {
	found, err := rows[attemptRow](ctx, s, s.sql, `SELECT number, by_hand, url, started_at, duration_ms, status, failure,
		detail, response_body, body_truncated FROM attempts WHERE delivery_id = $1 ORDER BY number`, deliveryID)
	if err != nil {
		return nil, err
	}
	return each(found, attemptRow.attempt)
}

func (r attemptRow) attempt() (webhook.Attempt, error) {
	return webhook.Attempt{
		Number: r.Number, ByHand: r.ByHand, URL: r.URL, StartedAt: domain.NewDateTime(r.StartedAt),
		DurationMS: r.DurationMS, Status: r.Status, Failure: r.Failure, Detail: r.Detail,
		ResponseBody:          strings.ToValidUTF8(string(r.ResponseBody), "\uFFFD"),
		ResponseBodyTruncated: r.BodyTruncated,
	}, nil
}

func unknownHead(version int) error {
	return fmt.Errorf("the event's head has version %d, which this program does not know", version)
}
