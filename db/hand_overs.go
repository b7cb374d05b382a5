package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/webhook"
)

const invoiceName = "Invoice"

// handOverFields are the columns of a deliveryRow, since a hand-over has the states of a delivery.
const handOverFields = `h.invoice_id AS id, h.seller_id, h.state, h.attempts, h.scheduled, h.retry_requested, h.retriggered_at,
	h.next_attempt_at, h.delivered_at, h.failed_at, h.created_at, h.updated_at`

// outgoingHandOverRow is the data of an attempt to hand over an invoice.
type outgoingHandOverRow struct {
	deliveryRow

	Document           []byte `bun:"document"`
	URL                string `bun:"url"`
	SealedInvoicingKey []byte `bun:"sealed_invoicing_key"`
}

// handOverAttemptRow is a row of hand_over_attempts.
type handOverAttemptRow struct {
	bun.BaseModel `bun:"table:hand_over_attempts,alias:a"`

	attemptRow

	InvoiceID string `bun:"invoice_id,pk"`
}

// newHandOverRow is a hand-over that is created by a request for a manual attempt.
type newHandOverRow struct {
	bun.BaseModel `bun:"table:hand_overs,alias:h"`

	InvoiceID string             `bun:"invoice_id,pk"`
	SellerID  ids.Seller         `bun:"seller_id"`
	State     sale.HandOverState `bun:"state"`
	CreatedAt time.Time          `bun:"created_at"`
	UpdatedAt time.Time          `bun:"updated_at"`
}

var (
	handOvers         = &source[deliveryRow]{columns: handOverFields, table: "hand_overs AS h"}
	outgoingHandOvers = &source[outgoingHandOverRow]{
		columns: handOverFields + ", i.document, coalesce(s.invoicing_url, '') AS url, s.sealed_invoicing_key",
		table:   "hand_overs AS h",
		joins: []string{
			"JOIN invoices i ON i.id = h.invoice_id AND i.seller_id = h.seller_id", "JOIN sellers s ON s.id = h.seller_id",
		},
	}
	handOverAttempts = &source[handOverAttemptRow]{columns: attemptFields}
)

// stayingHandOvers is stayingDeliveries for hand-overs.
const stayingHandOvers = "NOT EXISTS (SELECT FROM seller_moves v WHERE v.seller_id = h.seller_id AND v.state <> 'leaving')"

// HandOvers implements jobs.HandOvers.
type HandOvers struct{ store *Store }

// HandOvers returns the store for the workers that hand over invoices.
func (s *Store) HandOvers() HandOvers { return HandOvers{s} }

// Load reads all data for the next attempt in one statement: the seller's current URL and key, and the invoice as
// issued. It returns NOT_FOUND if the hand-over does not exist.
func (h HandOvers) Load(ctx context.Context, invoiceID string) (webhook.Outgoing, error) {
	found, err := outgoingHandOvers.where("h.invoice_id = $", invoiceID).where(stayingHandOvers).row(ctx, h.store, h.store.sql, invoiceName)
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

// Record stores an attempt and the resulting state of its hand-over in one transaction. A hand-over that fails gets an
// entry in the audit log. Nothing is stored if the hand-over has changed since it was loaded, which the attempt's
// number shows.
func (h HandOvers) Record(
	ctx context.Context, of webhook.Delivery, a webhook.Attempt, judge func(webhook.Delivery) webhook.Verdict,
) (recorded webhook.Recorded, err error) {
	err = h.store.transact(ctx, func(tx *Tx) error {
		recorded = webhook.Recorded{}
		now, err := tx.handOverForUpdate(ctx, of.SellerID, of.ID)
		if err != nil || now.AttemptCount != a.Number-1 || now.State != webhook.Pending {
			return err
		}
		if err := tx.insert(ctx, &handOverAttemptRow{InvoiceID: of.ID, attemptRow: attemptRow{
			Number: a.Number, ByHand: a.ByHand, URL: a.URL, StartedAt: a.StartedAt.Time, DurationMS: a.DurationMS, Status: a.Status,
			Failure: a.Failure, Detail: a.Detail, ResponseBody: append([]byte{}, a.RawBody...), BodyTruncated: a.ResponseBodyTruncated,
		}}); err != nil {
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

// Cancel cancels a hand-over because the seller's invoicing was removed, unless the hand-over has changed since it was
// loaded.
func (h HandOvers) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (called webhook.Recorded, err error) {
	err = h.store.transact(ctx, func(tx *Tx) error {
		now, err := tx.handOverForUpdate(ctx, of.SellerID, of.ID)
		if err != nil || now.AttemptCount != of.AttemptCount || now.State != webhook.Pending {
			return err
		}
		called = now.CancelResult(at)
		return tx.updateHandOver(ctx, webhook.Verdict{Delivery: called.After})
	})
	if err != nil {
		return webhook.Recorded{}, err
	}
	return called, nil
}

// Overdue lists hand-overs that were due before the given time, the longest overdue first. It returns at most limit
// scheduled and limit manual ones.
func (h HandOvers) Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.Job, error) {
	type overdueRow struct {
		ID     string `bun:"id"`
		ByHand bool   `bun:"by_hand"`
	}
	overdue, err := rows[overdueRow](ctx, h.store, h.store.sql,
		`(SELECT invoice_id AS id, false AS by_hand FROM hand_overs h
			WHERE state = 'pending' AND next_attempt_at < $1 AND `+stayingHandOvers+` ORDER BY next_attempt_at LIMIT $2)
		UNION ALL
		(SELECT invoice_id, true FROM hand_overs h WHERE retry_requested AND retriggered_at < $1
			AND (next_attempt_at IS NULL OR next_attempt_at > retriggered_at) AND `+stayingHandOvers+`
			ORDER BY retriggered_at LIMIT $2)`, before, limit)
	jobs := make([]webhook.Job, len(overdue))
	for i, found := range overdue {
		jobs[i] = webhook.Job{DeliveryID: found.ID, HandOver: true, Queue: webhook.RetryQueue}
		if found.ByHand {
			jobs[i].Queue = webhook.ManualQueue
		}
	}
	return jobs, err
}

// RequestHandOver records a request for a manual attempt. If the invoice was issued before the seller had invoicing,
// its hand-over is created now.
func (tx *Tx) RequestHandOver(
	ctx context.Context, seller ids.Seller, invoiceID string, arrived time.Time,
) (before, after sale.HandOver, changed bool, err error) {
	if _, err := invoices.of(seller).withID(invoiceID).row(ctx, tx.store, tx, invoiceName); err != nil {
		return before, after, false, err
	}
	found, err := tx.store.seller(ctx, tx, seller, "")
	if err == nil && found.Invoicing == nil {
		err = domain.InvalidState("The seller has no invoicing; configure it before handing over invoices")
	}
	if err != nil {
		return before, after, false, err
	}
	created, err := insertOn(ctx, tx.store, tx, "CONFLICT DO NOTHING", &newHandOverRow{
		InvoiceID: invoiceID, SellerID: seller, State: sale.HandOverState(webhook.Canceled), CreatedAt: arrived, UpdatedAt: arrived,
	})
	if err != nil {
		return before, after, false, err
	}
	now, err := tx.handOverForUpdate(ctx, seller, invoiceID)
	if err != nil {
		return before, after, false, err
	}
	verdict, changed := now.Retrigger(arrived)
	before, after = handOverOf(now), handOverOf(verdict.Delivery)
	if created > 0 {
		before = sale.HandOver{}
	}
	if changed {
		err = tx.updateHandOver(ctx, verdict)
	}
	return before, after, changed, err
}

func (tx *Tx) handOverForUpdate(ctx context.Context, seller ids.Seller, invoiceID string) (webhook.Delivery, error) {
	found, err := handOvers.where("h.seller_id = $ AND h.invoice_id = $", string(seller), invoiceID).forUpdate("UPDATE").
		row(ctx, tx.store, tx, invoiceName)
	if err != nil {
		return webhook.Delivery{}, err
	}
	return found.delivery()
}

// updateHandOver stores a hand-over's new state and inserts the resulting jobs.
func (tx *Tx) updateHandOver(ctx context.Context, verdict webhook.Verdict) error {
	d := verdict.Delivery
	if err := setLife(handOvers.where("h.invoice_id = $", d.ID), d).updateOne(ctx, tx.store, tx, invoiceName); err != nil {
		return err
	}
	return tx.enqueueHandOvers(ctx, verdict.Jobs)
}

// enqueueHandOvers inserts jobs of hand-overs, which start after the change is committed.
func (tx *Tx) enqueueHandOvers(ctx context.Context, jobs []webhook.Job) error {
	for i := range jobs {
		jobs[i].HandOver = true
	}
	return tx.enqueue(ctx, jobs)
}

func handOverOf(d webhook.Delivery) sale.HandOver {
	return sale.HandOver{
		State: sale.HandOverState(d.State), AttemptCount: d.AttemptCount, ScheduledCount: d.ScheduledCount,
		RetryRequested: d.RetryRequested, RetriggeredAt: d.RetriggeredAt, NextAttemptAt: d.NextAttemptAt,
		DeliveredAt: d.DeliveredAt, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
}
