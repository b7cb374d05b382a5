package db

import (
	"cmp"
	"context"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// Publish stores the event, one delivery for each enabled webhook of the seller that wants its type, and the jobs
// that will send them; without the seller's webhooks feature nobody wants anything. Everything commits with the
// change (decisions 7.10).
//
// Webhooks are read without a lock: one that is disabled or deleted meanwhile is seen when its attempt is due.
func (tx *Tx) Publish(ctx context.Context, event domain.Event) (string, error) {
	ids, err := tx.PublishAll(ctx, []domain.Event{event})
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// sharedCommit is how many events wait for one commit together; a call that has more has its own. With fifty webhooks each
// that is a fraction of the time that a commit may take.
const sharedCommit = 200

// publishTogether is the transaction of several calls of PublishAll outside of any change.
func (s *Store) publishTogether(ctx context.Context, calls [][]domain.Event) ([][]string, error) {
	answers := make([][]string, len(calls))
	err := s.transact(ctx, func(tx *Tx) error {
		ids, err := tx.publishAll(ctx, slices.Concat(calls...)) // each has the trace of its own call
		if err != nil {
			return err
		}
		for i, call := range calls {
			answers[i], ids = ids[:len(call)], ids[len(call):]
		}
		return nil
	})
	return answers, err
}

// PublishAll publishes events, see webhook.Store.
func (s webhookStore) PublishAll(ctx context.Context, events []domain.Event) ([]string, error) {
	return s.published.Do(ctx, within(s.trace(ctx), events))
}

// within says which trace events are part of that name none themselves.
func within(trace string, events []domain.Event) []domain.Event {
	for i := range events {
		events[i].Trace = cmp.Or(events[i].Trace, trace)
	}
	return events
}

// publishedAtOnce is how many events go into one statement: with fifty webhooks each it stays far below the time that a
// statement has.
const publishedAtOnce = 500

// PublishAll is Publish for many events in few statements. It returns their ids, in order.
func (tx *Tx) PublishAll(ctx context.Context, events []domain.Event) ([]string, error) {
	return tx.publishAll(ctx, within(tx.store.trace(ctx), events))
}

func (tx *Tx) publishAll(ctx context.Context, events []domain.Event) ([]string, error) {
	wanting, err := tx.wanting(ctx, events)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(events))
	for part := range slices.Chunk(events, publishedAtOnce) {
		published, err := tx.publishPart(ctx, part, wanting)
		if err != nil {
			return nil, err
		}
		ids = append(ids, published...)
	}
	return ids, nil
}

// happening is what decides which webhooks want an event.
type happening struct {
	SellerID ids.Seller
	Type     domain.EventType
}

func happeningOf(event domain.Event) happening { return happening{event.SellerID, event.Type} }

// wanting finds the webhooks for each kind of event there is among the events.
func (tx *Tx) wanting(ctx context.Context, events []domain.Event) (map[happening][]string, error) {
	found := map[happening][]string{}
	var sellers, types []string
	for _, event := range events {
		if _, known := found[happeningOf(event)]; !known {
			found[happeningOf(event)] = nil
			sellers, types = append(sellers, string(event.SellerID)), append(types, string(event.Type))
		}
	}
	type wantingRow struct {
		SellerID ids.Seller
		Type     domain.EventType
		ID       string
	}
	// The subqueries hide the number of kinds from the planner, which would otherwise replan the statement for each number.
	wanted, err := rows[wantingRow](ctx, tx.store, tx, `SELECT w.seller_id, e.type, w.id
		FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) AS e (seller_id, type)
		JOIN webhooks w ON w.seller_id = e.seller_id JOIN sellers s ON s.id = w.seller_id
		WHERE s.webhooks AND w.enabled AND e.type = ANY(w.event_types) ORDER BY w.id`, sellers, types)
	for _, row := range wanted {
		kind := happening{row.SellerID, row.Type}
		found[kind] = append(found[kind], row.ID)
	}
	return found, err
}

// eventColumns and deliveryColumns are rows to be inserted, column by column.
type (
	eventColumns struct {
		ids, sellers, types []string
		objects             []*string
		data                [][]byte
	}
	deliveryColumns struct{ ids, events, webhooks, sellers, types []string }
)

// publishPart writes events and deliveries in one statement, and then their jobs in one.
func (tx *Tx) publishPart(
	ctx context.Context, part []domain.Event, wanting map[happening][]string,
) ([]string, error) {
	s := tx.store
	now := s.now()
	var events eventColumns
	var deliveries deliveryColumns
	var wakeUps []webhook.WakeUp
	for _, event := range part {
		id := webhook.NewID(now)
		events.add(id, event)
		for _, webhookID := range wanting[happeningOf(event)] {
			delivery := webhook.NewID(now)
			deliveries.add(delivery, id, webhookID, event)
			wakeUps = append(wakeUps, webhook.WakeUp{
				DeliveryID: delivery, WebhookID: webhookID, Lane: webhook.FirstLane, Trace: event.Trace,
			})
		}
	}
	_, err := exec(ctx, tx, `WITH event AS (
			INSERT INTO events (id, seller_id, type, mode, head_version, data, object_id, created_at)
			SELECT e.id, e.seller_id, e.type, $1, $2, e.data, e.object_id, $3
			FROM unnest($4::uuid[], $5::text[], $6::text[], $7::bytea[], $13::text[]) AS e (id, seller_id, type, data, object_id))
		INSERT INTO deliveries (id, event_id, webhook_id, seller_id, type, state, next_attempt_at, created_at, updated_at)
		SELECT d.id, d.event_id, d.webhook_id, d.seller_id, d.type, 'pending', $3, $3, $3
		FROM unnest($8::uuid[], $9::uuid[], $10::text[], $11::text[], $12::text[])
			AS d (id, event_id, webhook_id, seller_id, type)`,
		s.mode, webhook.HeadVersion, moment.New(now).Time, events.ids, events.sellers, events.types, events.data,
		deliveries.ids, deliveries.events, deliveries.webhooks, deliveries.sellers, deliveries.types, events.objects)
	if err != nil {
		return nil, err
	}
	return events.ids, tx.wake(ctx, wakeUps)
}

func (c *eventColumns) add(id string, event domain.Event) {
	c.ids, c.sellers = append(c.ids, id), append(c.sellers, string(event.SellerID))
	c.types, c.data = append(c.types, string(event.Type)), append(c.data, event.Data)
	c.objects = append(c.objects, optionalText(webhook.ObjectID(event.Data)))
}

func (c *deliveryColumns) add(id, event, webhookID string, of domain.Event) {
	c.ids, c.events, c.webhooks = append(c.ids, id), append(c.events, event), append(c.webhooks, webhookID)
	c.sellers, c.types = append(c.sellers, string(of.SellerID)), append(c.types, string(of.Type))
}
