package db

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// deliveryRow is a delivery of an event to one webhook. Attempts counts all calls. Scheduled counts only those of the
// retry schedule.
type deliveryRow struct {
	ID             string           `bun:"id"`
	EventID        string           `bun:"event_id"`
	WebhookID      string           `bun:"webhook_id"`
	SellerID       ids.Seller       `bun:"seller_id"`
	Type           domain.EventType `bun:"type"`
	State          webhook.State    `bun:"state"`
	Attempts       int              `bun:"attempts"`
	Scheduled      int              `bun:"scheduled"`
	Outcome        string           `bun:"outcome"`
	RetryRequested bool             `bun:"retry_requested"`
	RetriggeredAt  *time.Time       `bun:"retriggered_at"`
	NextAttemptAt  *time.Time       `bun:"next_attempt_at"`
	DeliveredAt    *time.Time       `bun:"delivered_at"`
	FailedAt       *time.Time       `bun:"failed_at"`
	CreatedAt      time.Time        `bun:"created_at"`
	UpdatedAt      time.Time        `bun:"updated_at"`
	// Paused is read only with shownFields.
	Paused bool `bun:"paused"`
}

// eventRow has the columns of an event that the body of a delivery needs.
type eventRow struct {
	Mode        string `bun:"mode"`
	HeadVersion int    `bun:"head_version"`
	Data        []byte `bun:"data"`
}

const deliveryName = "Webhook delivery"

// deliveryFields and bodyFields list columns, see webhookFields.
const (
	deliveryFields = `d.id, d.event_id, d.webhook_id, d.seller_id, d.type, d.state, d.attempts, d.scheduled,
		coalesce(d.outcome, '') AS outcome, d.retry_requested, d.retriggered_at, d.next_attempt_at, d.delivered_at, d.failed_at,
		d.created_at, d.updated_at`
	bodyFields = "e.mode, e.head_version, e.data"
	// shownFields are deliveryFields and whether the delivery is paused. It counts, because with EXISTS the planner
	// would hash the webhooks of all sellers (LIMIT-3).
	shownFields = deliveryFields + `, d.state = 'pending' AND (SELECT count(*) FROM webhooks w JOIN sellers s ON s.id = w.seller_id
		WHERE w.id = d.webhook_id AND w.seller_id = d.seller_id AND NOT (w.enabled AND s.webhooks)) > 0 AS paused`
)

// deliveryBodyRow is a delivery with the data for its body.
type deliveryBodyRow struct {
	deliveryRow
	eventRow
}

// eventsOfDeliveries joins deliveries d with their events.
const eventsOfDeliveries = "JOIN events e ON e.id = d.event_id AND e.seller_id = d.seller_id"

var (
	deliveries         = &source[deliveryRow]{columns: deliveryFields, table: "deliveries AS d"}
	deliveriesWithBody = &source[deliveryBodyRow]{
		columns: shownFields + ", " + bodyFields, table: "deliveries AS d", joins: []string{eventsOfDeliveries},
	}
	deliveryBodies = &source[deliveryBodyRow]{
		columns: deliveryFields + ", " + bodyFields, table: "deliveries AS d", joins: []string{eventsOfDeliveries},
	}
)

// FindDelivery reads a delivery of a seller.
func (s webhookStore) FindDelivery(ctx context.Context, seller ids.Seller, id string) (webhook.Delivery, error) {
	q := shownDeliveries.where("d.seller_id = $ AND d.id = $", string(seller), id)
	return readOne(ctx, s.Store, s.sql, q, deliveryName, deliveryRow.delivery)
}

// Delivery reads a delivery of a seller with its body and attempts.
func (s webhookStore) Delivery(ctx context.Context, seller ids.Seller, id string) (webhook.DeliveryDetail, error) {
	found, err := deliveriesWithBody.where("d.seller_id = $ AND d.id = $", string(seller), id).row(ctx, s.Store, s.sql, deliveryName)
	if err != nil {
		return webhook.DeliveryDetail{}, err
	}
	attempts, err := s.attempts(ctx, id)
	if err != nil {
		return webhook.DeliveryDetail{}, err
	}
	delivery, _ := found.delivery()
	body, err := found.body(delivery)
	return webhook.DeliveryDetail{Delivery: delivery, Payload: string(body), Attempts: attempts}, err
}

// DeliveryForUpdate reads a delivery of a seller and locks its row.
func (tx *Tx) DeliveryForUpdate(ctx context.Context, seller ids.Seller, id string) (webhook.Delivery, error) {
	found, err := deliveries.where("d.seller_id = $ AND d.id = $", string(seller), id).forUpdate("UPDATE").
		row(ctx, tx.store, tx, deliveryName)
	if err != nil {
		return webhook.Delivery{}, err
	}
	return found.delivery()
}

// UpdateDelivery stores a delivery's new state and inserts the resulting jobs.
func (tx *Tx) UpdateDelivery(ctx context.Context, verdict webhook.Verdict) error {
	d := verdict.Delivery
	err := setLife(deliveries.where("d.seller_id = $ AND d.id = $", string(d.SellerID), d.ID), d).
		updateOne(ctx, tx.store, tx, deliveryName)
	if err != nil {
		return err
	}
	return tx.enqueue(ctx, verdict.Jobs)
}

// setLife sets the columns that attempts change. They are the same for deliveries and hand-overs.
func setLife(q *query[deliveryRow], d webhook.Delivery) *query[deliveryRow] {
	return q.set("state = $", string(d.State)).set("attempts = $", d.AttemptCount).set("scheduled = $", d.ScheduledCount).
		set("retry_requested = $", d.RetryRequested).set("retriggered_at = $", instant(d.RetriggeredAt)).
		set("next_attempt_at = $", instant(d.NextAttemptAt)).set("delivered_at = $", instant(d.DeliveredAt)).
		set("failed_at = $", instant(d.FailedAt)).set("updated_at = $", d.UpdatedAt.Time)
}

// enqueue inserts jobs, which start after the change is committed.
func (tx *Tx) enqueue(ctx context.Context, jobs []webhook.Job) error {
	statements, err := tx.store.jobStatements(ctx, jobs)
	if err != nil {
		return err
	}
	return tx.run(ctx, statements...)
}

// jobStatements returns the statement that inserts jobs, or no statement if there are none. Jobs without a trace get the one
// of ctx.
func (s *Store) jobStatements(ctx context.Context, jobs []webhook.Job) ([]statement, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	for i := range jobs {
		jobs[i].Trace = cmp.Or(jobs[i].Trace, s.trace(ctx))
	}
	text, args, err := s.enqueue(jobs)
	return []statement{{text, args}}, err
}

func (r deliveryRow) delivery() (webhook.Delivery, error) {
	return webhook.Delivery{
		ID: r.ID, SellerID: r.SellerID, WebhookID: r.WebhookID, EventID: r.EventID, Type: r.Type, State: r.State,
		Paused:       r.Paused,
		AttemptCount: r.Attempts, ScheduledCount: r.Scheduled, Outcome: r.Outcome, RetryRequested: r.RetryRequested,
		RetriggeredAt: optionalTime(r.RetriggeredAt), NextAttemptAt: optionalTime(r.NextAttemptAt),
		DeliveredAt: optionalTime(r.DeliveredAt), FailedAt: optionalTime(r.FailedAt),
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}, nil
}

// body returns the body of a delivery.
func (r eventRow) body(d webhook.Delivery) ([]byte, error) {
	test := r.HeadVersion == webhook.TestHead
	if !test && r.HeadVersion != webhook.HeadVersion {
		return nil, unknownHead(r.HeadVersion)
	}
	return webhook.Body(webhook.Head{
		ID: d.ID, SellerID: d.SellerID, WebhookID: d.WebhookID, Type: d.Type, Mode: r.Mode, Test: test,
	}, r.Data), nil
}
