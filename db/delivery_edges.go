package db

import (
	"context"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/webhook"
)

// namedDeliveries selects a seller's deliveries by id. The smallest and the largest id limit the partitions to read.
func namedDeliveries[R any](from *source[R], seller ids.Seller, ids []string) *query[R] {
	return from.where("d.seller_id = $", string(seller)).where(theseDeliveries, ids, slices.Min(ids), slices.Max(ids))
}

const attemptFields = "a.number, a.by_hand, a.url, a.started_at, a.duration_ms, a.status, a.failure, a.detail, " +
	"a.response_body, a.body_truncated"

// lastAttemptRow is the latest attempt of a delivery.
type lastAttemptRow struct {
	attemptRow

	DeliveryID string `bun:"delivery_id"`
}

// objectRow is the object of a delivery's event.
type objectRow struct {
	ID       string           `bun:"id"`
	Type     domain.EventType `bun:"type"`
	ObjectID string           `bun:"object_id"`
}

var (
	attempts             = &source[attemptRow]{columns: attemptFields, table: "attempts AS a"}
	attemptsOfDeliveries = &source[attemptRow]{
		columns: attemptFields, table: "attempts AS a", joins: []string{"JOIN deliveries d ON d.id = a.delivery_id"},
	}
	lastAttempts = &source[lastAttemptRow]{
		columns: "a.delivery_id, " + attemptFields, table: "deliveries AS d",
		joins: []string{"JOIN attempts a ON a.delivery_id = d.id AND a.number = d.attempts"},
	}
	objectsOfDeliveries = &source[objectRow]{
		columns: "d.id, d.type, e.object_id", table: "deliveries AS d",
		joins: []string{eventsOfDeliveries + " AND e.object_id IS NOT NULL"},
	}
)

// LastAttempts returns the latest attempt of each delivery.
func (s webhookStore) LastAttempts(
	ctx context.Context, seller ids.Seller, deliveries []string,
) (map[string]webhook.Attempt, error) {
	if len(deliveries) == 0 {
		return map[string]webhook.Attempt{}, nil
	}
	found, err := namedDeliveries(lastAttempts, seller, deliveries).
		where("a.delivery_id BETWEEN $ AND $", slices.Min(deliveries), slices.Max(deliveries)).counted(ctx, s.Store, s.sql)
	last := make(map[string]webhook.Attempt, len(found))
	for _, row := range found {
		last[row.DeliveryID], _ = row.attempt()
	}
	return last, err
}

// AttemptsOfDeliveries reads one page of attempts for each delivery.
func (s webhookStore) AttemptsOfDeliveries(
	ctx context.Context, seller ids.Seller, deliveries []string, page domain.Page,
) (map[string]domain.List[webhook.Attempt], error) {
	q := attemptsOfDeliveries.where("d.seller_id = $", string(seller))
	return listing[attemptRow, webhook.Attempt]{query: q, id: "a.number", item: attemptRow.attempt}.
		within(ctx, s.Store, "a.delivery_id = parent.id::uuid", deliveries, page)
}

// Payloads returns the bodies of deliveries.
func (s webhookStore) Payloads(
	ctx context.Context, seller ids.Seller, deliveries []string,
) (map[string]string, error) {
	if len(deliveries) == 0 {
		return map[string]string{}, nil
	}
	found, err := namedDeliveries(deliveryBodies, seller, deliveries).counted(ctx, s.Store, s.sql)
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

// ObjectsOfDeliveries returns the objects of the deliveries' events.
func (s webhookStore) ObjectsOfDeliveries(
	ctx context.Context, seller ids.Seller, deliveries []string,
) (map[string]webhook.Object, error) {
	if len(deliveries) == 0 {
		return map[string]webhook.Object{}, nil
	}
	found, err := namedDeliveries(objectsOfDeliveries, seller, deliveries).rows(ctx, s.Store, s.sql)
	objects := make(map[string]webhook.Object, len(found))
	for _, row := range found {
		objects[row.ID] = webhook.Object{Type: row.Type, ID: row.ObjectID}
	}
	return objects, err
}
