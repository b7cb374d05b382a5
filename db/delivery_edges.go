package db

import (
	"context"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/webhook"
)

// namedDeliveries are the seller's deliveries with the ids $1. The smallest and the largest tell the server which days to look into.
const namedDeliveries = " WHERE d.id = ANY($1::uuid[]) AND d.seller_id = $2 AND d.id BETWEEN $3 AND $4"

// namedBy are the arguments of namedDeliveries.
func namedBy(seller ids.Seller, ids []string) []any {
	return []any{ids, string(seller), slices.Min(ids), slices.Max(ids)}
}

const attemptFields = "a.number, a.by_hand, a.url, a.started_at, a.duration_ms, a.status, a.failure, a.detail, " +
	"a.response_body, a.body_truncated"

var attemptsOfDeliveries = &source[attemptRow]{
	columns: attemptFields, table: "attempts AS a", joins: []string{"JOIN deliveries d ON d.id = a.delivery_id"},
}

// LastAttempts reads the latest call of each delivery.
func (s webhookStore) LastAttempts(
	ctx context.Context, seller ids.Seller, deliveries []string,
) (map[string]webhook.Attempt, error) {
	type lastRow struct {
		attemptRow
		DeliveryID string `bun:"delivery_id"`
	}
	if len(deliveries) == 0 {
		return map[string]webhook.Attempt{}, nil
	}
	found, err := countedRows[lastRow](ctx, s.Store, s.sql, "SELECT a.delivery_id, "+attemptFields+` FROM deliveries d
		JOIN attempts a ON a.delivery_id = d.id AND a.number = d.attempts AND a.delivery_id BETWEEN $3 AND $4`+namedDeliveries,
		namedBy(seller, deliveries)...)
	last := make(map[string]webhook.Attempt, len(found))
	for _, row := range found {
		last[row.DeliveryID], _ = row.attempt()
	}
	return last, err
}

// AttemptsOfDeliveries reads a page of the calls of each delivery.
func (s webhookStore) AttemptsOfDeliveries(
	ctx context.Context, seller ids.Seller, deliveries []string, page domain.Page,
) (map[string]domain.List[webhook.Attempt], error) {
	q := attemptsOfDeliveries.where("d.seller_id = $", string(seller))
	return listing[attemptRow, webhook.Attempt]{query: q, id: "a.number", item: attemptRow.attempt}.
		within(ctx, s.Store, "a.delivery_id = parent.id::uuid", deliveries, page)
}

// Payloads makes the bodies of deliveries.
func (s webhookStore) Payloads(
	ctx context.Context, seller ids.Seller, deliveries []string,
) (map[string]string, error) {
	type bodyRow struct {
		deliveryRow
		eventRow
	}
	if len(deliveries) == 0 {
		return map[string]string{}, nil
	}
	found, err := countedRows[bodyRow](ctx, s.Store, s.sql, "SELECT "+deliveryFields+", "+bodyFields+` FROM deliveries d
		JOIN events e ON e.id = d.event_id AND e.seller_id = d.seller_id`+namedDeliveries, namedBy(seller, deliveries)...)
	bodies := make(map[string]string, len(found))
	for _, row := range found {
		if err != nil {
			return nil, err
		}
		var body []byte
		delivery, _ := row.delivery()
		body, err = row.body(delivery)
		bodies[row.ID] = string(body)
	}
	return bodies, err
}

// ObjectsOfDeliveries reads what the events of deliveries are about.
func (s webhookStore) ObjectsOfDeliveries(
	ctx context.Context, seller ids.Seller, deliveries []string,
) (map[string]webhook.Object, error) {
	type objectRow struct {
		ID       string           `bun:"id"`
		Type     domain.EventType `bun:"type"`
		ObjectID string           `bun:"object_id"`
	}
	if len(deliveries) == 0 {
		return map[string]webhook.Object{}, nil
	}
	found, err := rows[objectRow](ctx, s.Store, s.sql, `SELECT d.id, d.type, e.object_id FROM deliveries d
		JOIN events e ON e.id = d.event_id AND e.seller_id = d.seller_id AND e.object_id IS NOT NULL`+namedDeliveries,
		namedBy(seller, deliveries)...)
	objects := make(map[string]webhook.Object, len(found))
	for _, row := range found {
		objects[row.ID] = webhook.Object{Type: row.Type, ID: row.ObjectID}
	}
	return objects, err
}
