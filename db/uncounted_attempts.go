package db

import (
	"context"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// countedAtOnce is the number of deliveries whose attempts are counted in one transaction. It takes a few milliseconds.
const countedAtOnce = 500

// CountEarlierAttempts adds attempts of up to countedAtOnce deliveries to the statistics of webhooks, if they were made
// before these statistics existed. It returns the number of deliveries that it has read. 0 means that no delivery is
// left, or that another process is counting.
//
// A delivery without an outcome has been handled only by versions that do not count attempts. For a delivery with an
// outcome, only the attempts from before the statistics are missing.
func (s *Store) CountEarlierAttempts(ctx context.Context, schedule webhook.RetrySchedule) (looked int, err error) {
	err = s.transact(ctx, func(tx *Tx) error {
		looked = 0
		left, err := uncounted.all().forUpdate("UPDATE SKIP LOCKED").rows(ctx, s, tx)
		if err != nil || len(left) == 0 {
			return err
		}
		histories, err := tx.earlierAttempts(ctx, left[0])
		if err != nil {
			return err
		}
		looked, err = len(histories), tx.count(ctx, histories, left[0].BeganBefore, schedule)
		if err != nil {
			return err
		}
		return tx.countedUpTo(ctx, histories)
	})
	return looked, err
}

// uncountedRow is a row of uncounted_attempts: the range of deliveries still to be read.
type uncountedRow struct {
	bun.BaseModel `bun:"table:uncounted_attempts,alias:u"`

	BeganBefore time.Time `bun:"began_before"`
	AfterID     string    `bun:"after_id"`
	UntilID     string    `bun:"until_id,pk"`
}

var uncounted = &source[uncountedRow]{}

// history is a delivery with all its attempts.
type history struct {
	delivery webhook.Delivery
	attempts []webhook.Attempt
}

// earlierAttempts reads the next deliveries with their attempts, in the order of their ids.
func (tx *Tx) earlierAttempts(ctx context.Context, left uncountedRow) ([]history, error) {
	type madeRow struct {
		attemptRow

		ID        string           `bun:"id"`
		WebhookID string           `bun:"webhook_id"`
		Type      domain.EventType `bun:"type"`
		Outcome   string           `bun:"outcome"`
		CreatedAt time.Time        `bun:"created_at"`
	}
	found, err := rows[madeRow](ctx, tx.store, tx, `SELECT d.id, d.webhook_id, d.type, coalesce(d.outcome, '') AS outcome,
			d.created_at, coalesce(a.number, 0) AS number, coalesce(a.by_hand, false) AS by_hand,
			coalesce(a.started_at, d.created_at) AS started_at, coalesce(a.duration_ms, 0) AS duration_ms, a.status, a.failure
		FROM (SELECT id, webhook_id, type, outcome, created_at FROM deliveries WHERE id > $1 AND id < $2 ORDER BY id
			LIMIT `+strconv.Itoa(countedAtOnce)+`) d
		LEFT JOIN attempts a ON a.delivery_id = d.id ORDER BY d.id, a.number`, left.AfterID, left.UntilID)
	if err != nil {
		return nil, err
	}
	var histories []history
	for _, r := range found {
		if len(histories) == 0 || histories[len(histories)-1].delivery.ID != r.ID {
			histories = append(histories, history{delivery: webhook.Delivery{
				ID: r.ID, WebhookID: r.WebhookID, Type: r.Type, Outcome: r.Outcome, CreatedAt: moment.New(r.CreatedAt),
			}})
		}
		if of := &histories[len(histories)-1]; r.Number > 0 {
			attempt, _ := r.attempt()
			of.attempts = append(of.attempts, attempt)
		}
	}
	return histories, nil
}

// count adds missing attempts to the statistics, and stores outcomes for deliveries without one.
func (tx *Tx) count(ctx context.Context, histories []history, started time.Time, schedule webhook.RetrySchedule) error {
	tally := webhook.Tally{}
	var ids, outcomes []string
	for _, of := range histories {
		unknown := of.delivery.Outcome == "" && len(of.attempts) > 0
		schedule.Replay(of.delivery, of.attempts, func(a webhook.Attempt, of webhook.Verdict) {
			if unknown || a.StartedAt.Before(started) {
				tally.Add(a, of)
			}
		})
		if unknown {
			ids, outcomes = append(ids, of.delivery.ID), append(outcomes, of.attempts[len(of.attempts)-1].Outcome())
		}
	}
	_, err := exec(ctx, tx, `UPDATE deliveries d SET outcome = o.outcome
		FROM unnest($1::uuid[], $2::text[]) AS o (id, outcome) WHERE d.id = o.id AND d.outcome IS NULL`, ids, outcomes)
	if err != nil || len(tally) == 0 {
		return err
	}
	return tx.run(ctx, figures(tally))
}

// countedUpTo stores the progress. If made has fewer deliveries than were requested, they were the last ones.
func (tx *Tx) countedUpTo(ctx context.Context, histories []history) error {
	if len(histories) < countedAtOnce {
		_, err := uncounted.all().delete(ctx, tx.store, tx)
		return err
	}
	_, err := uncounted.all().set("after_id = $", histories[len(histories)-1].delivery.ID).update(ctx, tx.store, tx)
	return err
}
