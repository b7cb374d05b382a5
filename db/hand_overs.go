package db

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/webhook"
)

const invoiceName = "Invoice"

// handOverFields are read into a deliveryRow: a hand-over moves on as a delivery does.
const handOverFields = `h.invoice_id AS id, h.seller_id, h.state, h.attempts, h.scheduled, h.retry_requested, h.retriggered_at,
	h.next_attempt_at, h.delivered_at, h.failed_at, h.created_at, h.updated_at`

// HandOvers is the database as the worker that hands invoices over needs it.
type HandOvers struct{ store *Store }

// HandOvers returns what the worker needs.
func (s *Store) HandOvers() HandOvers { return HandOvers{s} }

// Load reads, in one statement, everything that the next attempt needs, or NOT_FOUND: the seller's present URL and key, and
// the invoice as it was issued.
func (h HandOvers) Load(ctx context.Context, invoiceID string) (webhook.Outgoing, error) {
	type outgoingRow struct {
		deliveryRow
		Document           []byte `bun:"document"`
		URL                string `bun:"url"`
		SealedInvoicingKey []byte `bun:"sealed_invoicing_key"`
	}
	found, err := row[outgoingRow](ctx, h.store, h.store.sql, invoiceName, "SELECT "+handOverFields+`, i.document,
			coalesce(s.invoicing_url, '') AS url, s.sealed_invoicing_key
		FROM hand_overs h JOIN invoices i ON i.id = h.invoice_id AND i.seller_id = h.seller_id JOIN sellers s ON s.id = h.seller_id
		WHERE h.invoice_id = $1`, invoiceID)
	if err != nil {
		return webhook.Outgoing{}, err
	}
	out := webhook.Outgoing{Wanted: found.URL != "", URL: found.URL, Body: found.Document}
	if out.Delivery, err = found.delivery(); err != nil || len(found.SealedInvoicingKey) == 0 {
		return out, err
	}
	out.Key, out.Fault = h.store.sealer.Open(invoicingKeyRow(found.SellerID), found.SealedInvoicingKey)
	return out, nil
}

// Record stores an attempt and what it makes of its hand-over in one transaction, with an entry of the audit log when it is
// given up. Nothing is stored when the hand-over has moved on since it was loaded: the attempt's number is the fence.
func (h HandOvers) Record(
	ctx context.Context, of webhook.Delivery, a webhook.Attempt, judge func(webhook.Delivery) webhook.Verdict,
) (recorded webhook.Recorded, err error) {
	err = h.store.transact(ctx, func(tx *Tx) error {
		recorded = webhook.Recorded{}
		now, err := tx.handOverForUpdate(ctx, of.SellerID, of.ID)
		if err != nil || now.AttemptCount != a.Number-1 || now.State != webhook.Pending {
			return err
		}
		_, err = exec(ctx, tx, `INSERT INTO hand_over_attempts (invoice_id, number, by_hand, url, started_at, duration_ms,
			status, failure, detail, response_body, body_truncated) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			of.ID, a.Number, a.ByHand, a.URL, a.StartedAt.Time, a.DurationMS, a.Status, (*string)(a.Failure), a.Detail,
			append([]byte{}, a.RawBody...), a.ResponseBodyTruncated)
		if err != nil {
			return err
		}
		verdict := judge(now)
		recorded = verdict.Recorded()
		if notice, givenUp := verdict.HandOverGivenUp(a); givenUp {
			if err := tx.auditBySystem(ctx, []domain.Change{notice}); err != nil {
				return err
			}
		}
		return tx.updateHandOver(ctx, verdict)
	})
	if err != nil {
		return webhook.Recorded{}, err
	}
	return recorded, nil
}

// Cancel ends a hand-over to a seller without invoicing, unless it has moved on since it was loaded.
func (h HandOvers) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (called webhook.Recorded, err error) {
	err = h.store.transact(ctx, func(tx *Tx) error {
		now, err := tx.handOverForUpdate(ctx, of.SellerID, of.ID)
		if err != nil || now.AttemptCount != of.AttemptCount || now.State != webhook.Pending {
			return err
		}
		called = now.CalledOff(at)
		return tx.updateHandOver(ctx, webhook.Verdict{Delivery: called.After})
	})
	if err != nil {
		return webhook.Recorded{}, err
	}
	return called, nil
}

// Overdue lists hand-overs whose wake-up should have come before a time, the longest overdue first: of the schedule and by
// hand at most so many each.
func (h HandOvers) Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.WakeUp, error) {
	type overdueRow struct {
		ID     string `bun:"id"`
		ByHand bool   `bun:"by_hand"`
	}
	overdue, err := rows[overdueRow](ctx, h.store, h.store.sql,
		`(SELECT invoice_id AS id, false AS by_hand FROM hand_overs
			WHERE state = 'pending' AND next_attempt_at < $1 ORDER BY next_attempt_at LIMIT $2)
		UNION ALL
		(SELECT invoice_id, true FROM hand_overs WHERE retry_requested AND retriggered_at < $1
			AND (next_attempt_at IS NULL OR next_attempt_at > retriggered_at) ORDER BY retriggered_at LIMIT $2)`, before, limit)
	wakeUps := make([]webhook.WakeUp, len(overdue))
	for i, found := range overdue {
		wakeUps[i] = webhook.WakeUp{DeliveryID: found.ID, HandOver: true, Lane: webhook.RetryLane}
		if found.ByHand {
			wakeUps[i].Lane = webhook.ByHandLane
		}
	}
	return wakeUps, err
}

// RequestHandOver notes a wish for an attempt. An invoice that was issued before the seller had invoicing gets its hand-over
// now.
func (tx *Tx) RequestHandOver(
	ctx context.Context, seller ids.Seller, invoiceID string, arrived time.Time,
) (before, after sale.HandOver, changed bool, err error) {
	type wantedRow struct{ Wanted bool }
	found, err := row[wantedRow](ctx, tx.store, tx, invoiceName, `SELECT s.invoicing_url IS NOT NULL AS wanted
		FROM invoices i JOIN sellers s ON s.id = i.seller_id WHERE i.id = $1 AND i.seller_id = $2`, invoiceID, string(seller))
	if err == nil && !found.Wanted {
		err = domain.InvalidState("The seller has no invoicing to hand invoices over to; set it first")
	}
	if err != nil {
		return before, after, false, err
	}
	made, err := exec(ctx, tx, `INSERT INTO hand_overs (invoice_id, seller_id, state, created_at, updated_at)
		VALUES ($1, $2, 'canceled', $3, $3) ON CONFLICT DO NOTHING`, invoiceID, string(seller), arrived)
	if err != nil {
		return before, after, false, err
	}
	now, err := tx.handOverForUpdate(ctx, seller, invoiceID)
	if err != nil {
		return before, after, false, err
	}
	verdict, changed := now.Retrigger(arrived)
	before, after = handOverOf(now), handOverOf(verdict.Delivery)
	if made > 0 {
		before = sale.HandOver{}
	}
	if changed {
		err = tx.updateHandOver(ctx, verdict)
	}
	return before, after, changed, err
}

func (tx *Tx) handOverForUpdate(ctx context.Context, seller ids.Seller, invoiceID string) (webhook.Delivery, error) {
	found, err := row[deliveryRow](ctx, tx.store, tx, invoiceName,
		"SELECT "+handOverFields+" FROM hand_overs h WHERE h.invoice_id = $1 AND h.seller_id = $2 FOR UPDATE",
		invoiceID, string(seller))
	if err != nil {
		return webhook.Delivery{}, err
	}
	return found.delivery()
}

// updateHandOver stores what changes in the life of a hand-over, and the wake-ups that go with it.
func (tx *Tx) updateHandOver(ctx context.Context, verdict webhook.Verdict) error {
	d := verdict.Delivery
	err := changeOne(ctx, tx, invoiceName, `UPDATE hand_overs SET state = $2, attempts = $3, scheduled = $4,
		retry_requested = $5, retriggered_at = $6, next_attempt_at = $7, delivered_at = $8, failed_at = $9,
		updated_at = $10 WHERE invoice_id = $1`,
		d.ID, string(d.State), d.AttemptCount, d.ScheduledCount, d.RetryRequested, instant(d.RetriggeredAt),
		instant(d.NextAttemptAt), instant(d.DeliveredAt), instant(d.FailedAt), d.UpdatedAt.Time)
	if err != nil {
		return err
	}
	return tx.wakeHandOvers(ctx, verdict.WakeUps)
}

// wakeHandOvers inserts the jobs of wake-ups, which commit with the change.
func (tx *Tx) wakeHandOvers(ctx context.Context, wakeUps []webhook.WakeUp) error {
	for i := range wakeUps {
		wakeUps[i].HandOver = true
	}
	return tx.wake(ctx, wakeUps)
}

func handOverOf(d webhook.Delivery) sale.HandOver {
	return sale.HandOver{
		State: sale.HandOverState(d.State), AttemptCount: d.AttemptCount, ScheduledCount: d.ScheduledCount,
		RetryRequested: d.RetryRequested, RetriggeredAt: d.RetriggeredAt, NextAttemptAt: d.NextAttemptAt,
		DeliveredAt: d.DeliveredAt, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
}
