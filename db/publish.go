package db

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
)

// Publish stores the event, one delivery for each enabled webhook of the seller that wants its type, and the jobs
// that will send them; without the seller's webhooks feature nobody wants anything. Everything commits with the
// change (decisions 7.10).
//
// Webhooks are read without a lock: one that is disabled or deleted meanwhile is seen when its attempt is due.
func (tx *Tx) Publish(ctx context.Context, event domain.Event) (string, error) {
	s := tx.store
	type wanting struct{ ID string }
	wanted, err := rows[wanting](ctx, s, tx.byHand(), `SELECT w.id FROM webhooks w JOIN sellers s ON s.id = w.seller_id
		WHERE w.seller_id = $1 AND s.webhooks AND w.enabled AND $2 = ANY(w.event_types) ORDER BY w.id`,
		string(event.SellerID), string(event.Type))
	if err != nil {
		return "", err
	}
	now := s.now()
	eventID := webhook.NewID(now)
	deliveries, webhooks := make([]string, len(wanted)), make([]string, len(wanted))
	wakeUps := make([]webhook.WakeUp, len(wanted))
	for i, w := range wanted {
		deliveries[i], webhooks[i] = webhook.NewID(now), w.ID
		wakeUps[i] = webhook.WakeUp{DeliveryID: deliveries[i], Lane: webhook.FirstLane}
	}
	// One statement for event and deliveries, however many there are.
	_, err = exec(ctx, tx.byHand(), `WITH event AS (
			INSERT INTO events (id, seller_id, type, mode, head_version, data, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7))
		INSERT INTO deliveries (id, event_id, webhook_id, seller_id, type, state, next_attempt_at, created_at, updated_at)
		SELECT d.id, $1, d.webhook_id, $2, $3, 'pending', $7, $7, $7
		FROM unnest($8::uuid[], $9::text[]) AS d (id, webhook_id)`,
		eventID, string(event.SellerID), string(event.Type), s.mode, webhook.HeadVersion, event.Data,
		domain.NewDateTime(now).Time, deliveries, webhooks)
	if err != nil || len(wakeUps) == 0 {
		return eventID, err
	}
	return eventID, mapError(s.enqueue(ctx, tx.Tx.Tx, wakeUps))
}
