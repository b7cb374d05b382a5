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

// Publish stores an event, a delivery for each enabled webhook of the seller that selects its type, and the jobs that
// send the deliveries. If the seller lacks the webhooks feature, there are no deliveries. All rows are committed with
// the change.
//
// Webhooks are read without a lock. Whether a webhook was disabled or deleted is checked again when an attempt is due.
func (tx *Tx) Publish(ctx context.Context, event domain.Event) (string, error) {
	ids, err := tx.PublishAll(ctx, []domain.Event{event})
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// maxSharedEvents is the maximum number of events that share a commit. A call with more has a commit of its own. With 50
// webhooks each, the events take a fraction of the statement timeout.
const maxSharedEvents = 200

// publishTogether publishes the events of several calls of PublishAll in one transaction.
func (s *Store) publishTogether(ctx context.Context, calls [][]domain.Event) ([][]string, error) {
	events := slices.Concat(calls...) // each has the trace of its own call
	subscribers, err := s.subscribers(ctx, s.sql, events)
	if err != nil {
		return nil, err
	}
	ids, statements, err := s.publishStatements(ctx, events, subscribers)
	if err == nil {
		err = s.together(ctx, statements)
	}
	if err != nil {
		return nil, err
	}
	answers := make([][]string, len(calls))
	for i, call := range calls {
		answers[i], ids = ids[:len(call)], ids[len(call):]
	}
	return answers, nil
}

// PublishAll publishes events, see webhook.Store.
func (s webhookStore) PublishAll(ctx context.Context, events []domain.Event) ([]string, error) {
	return s.published.Do(ctx, withTrace(s.trace(ctx), events))
}

// withTrace sets the trace of events that have none.
func withTrace(trace string, events []domain.Event) []domain.Event {
	for i := range events {
		events[i].Trace = cmp.Or(events[i].Trace, trace)
	}
	return events
}

// eventsPerStatement is the maximum number of events per statement. With 50 webhooks each, it stays far below the
// statement timeout.
const eventsPerStatement = 500

// PublishAll is like Publish, for many events in few statements. It returns the ids of the events in order.
func (tx *Tx) PublishAll(ctx context.Context, events []domain.Event) ([]string, error) {
	return tx.publishAll(ctx, withTrace(tx.store.trace(ctx), events))
}

func (tx *Tx) publishAll(ctx context.Context, events []domain.Event) ([]string, error) {
	subscribers, err := tx.store.subscribers(ctx, tx, events)
	if err != nil {
		return nil, err
	}
	ids, statements, err := tx.store.publishStatements(ctx, events, subscribers)
	if err != nil {
		return nil, err
	}
	return ids, tx.run(ctx, statements...)
}

// PublishTest stores a test event with one delivery, to this webhook, and returns the delivery's id.
func (tx *Tx) PublishTest(ctx context.Context, event domain.Event, webhookID string) (string, error) {
	events := withTrace(tx.store.trace(ctx), []domain.Event{event})
	subscribers := map[subscriptionKey][]string{subscriptionKeyOf(event): {webhookID}}
	made, err := tx.store.publishStatement(ctx, events, subscribers, webhook.TestHead)
	if err != nil {
		return "", err
	}
	return made.deliveries[0], tx.run(ctx, made.statements...)
}

// publishStatements returns the statements that publish events, and the ids of the events in order.
func (s *Store) publishStatements(
	ctx context.Context, events []domain.Event, subscribers map[subscriptionKey][]string,
) (ids []string, statements []statement, err error) {
	for part := range slices.Chunk(events, eventsPerStatement) {
		made, err := s.publishStatement(ctx, part, subscribers, webhook.HeadVersion)
		if err != nil {
			return nil, nil, err
		}
		ids, statements = append(ids, made.events...), append(statements, made.statements...)
	}
	return ids, statements, nil
}

// subscriptionKey is the combination of seller and type by which webhooks select events.
type subscriptionKey struct {
	SellerID ids.Seller
	Type     domain.EventType
}

func subscriptionKeyOf(event domain.Event) subscriptionKey {
	return subscriptionKey{event.SellerID, event.Type}
}

// subscribers returns the ids of the webhooks that select each seller and type of the events.
func (s *Store) subscribers(ctx context.Context, on conn, events []domain.Event) (map[subscriptionKey][]string, error) {
	found := map[subscriptionKey][]string{}
	var sellers, types []string
	for _, event := range events {
		if _, known := found[subscriptionKeyOf(event)]; !known {
			found[subscriptionKeyOf(event)] = nil
			sellers, types = append(sellers, string(event.SellerID)), append(types, string(event.Type))
		}
	}
	type wantingRow struct {
		SellerID ids.Seller
		Type     domain.EventType
		ID       string
	}
	// The subqueries hide the number of types from the planner. Otherwise it would plan the statement again for each
	// number.
	wanted, err := rows[wantingRow](ctx, s, on, `SELECT w.seller_id, e.type, w.id
		FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) AS e (seller_id, type)
		JOIN webhooks w ON w.seller_id = e.seller_id JOIN sellers s ON s.id = w.seller_id
		WHERE s.webhooks AND w.enabled AND e.type = ANY(w.event_types) ORDER BY w.id`, sellers, types)
	for _, row := range wanted {
		kind := subscriptionKey{row.SellerID, row.Type}
		found[kind] = append(found[kind], row.ID)
	}
	return found, err
}

// eventColumns and deliveryColumns have rows to insert, column by column.
type (
	eventColumns struct {
		ids, sellers, types []string
		objects             []*string
		data                [][]byte
	}
	deliveryColumns struct{ ids, events, webhooks, sellers, types []string }
)

// publication holds the ids of events and deliveries, and the statements that store them.
type publication struct {
	events, deliveries []string
	statements         []statement
}

// publishStatement returns one statement for events and their deliveries, and one for the jobs. All events get the
// same version of the head.
func (s *Store) publishStatement(
	ctx context.Context, part []domain.Event, subscribers map[subscriptionKey][]string, head int,
) (publication, error) {
	now := s.now()
	var events eventColumns
	var deliveries deliveryColumns
	var queued []webhook.Job
	for _, event := range part {
		id := webhook.NewID(now)
		events.add(id, event, head)
		for _, webhookID := range subscribers[subscriptionKeyOf(event)] {
			delivery := webhook.NewID(now)
			deliveries.add(delivery, id, webhookID, event)
			queued = append(queued, webhook.Job{
				DeliveryID: delivery, WebhookID: webhookID, Queue: webhook.FirstQueue, Trace: event.Trace,
			})
		}
	}
	inserting := statement{`WITH event AS (
			INSERT INTO events (id, seller_id, type, mode, head_version, data, object_id, created_at)
			SELECT e.id, e.seller_id, e.type, $1, $2, e.data, e.object_id, $3
			FROM unnest($4::uuid[], $5::text[], $6::text[], $7::bytea[], $13::text[]) AS e (id, seller_id, type, data, object_id))
		INSERT INTO deliveries (id, event_id, webhook_id, seller_id, type, state, next_attempt_at, created_at, updated_at)
		SELECT d.id, d.event_id, d.webhook_id, d.seller_id, d.type, 'pending', $3, $3, $3
		FROM unnest($8::uuid[], $9::uuid[], $10::text[], $11::text[], $12::text[])
			AS d (id, event_id, webhook_id, seller_id, type)`, []any{
		s.mode, head, moment.New(now).Time, events.ids, events.sellers, events.types, events.data,
		deliveries.ids, deliveries.events, deliveries.webhooks, deliveries.sellers, deliveries.types, events.objects,
	}}
	jobs, err := s.jobStatements(ctx, queued)
	return publication{events.ids, deliveries.ids, append([]statement{inserting}, jobs...)}, err
}

func (c *eventColumns) add(id string, event domain.Event, head int) {
	object := ""
	if head != webhook.TestHead { // a test event is about no record
		object = webhook.ObjectID(event.Data)
	}
	c.ids, c.sellers = append(c.ids, id), append(c.sellers, string(event.SellerID))
	c.types, c.data = append(c.types, string(event.Type)), append(c.data, event.Data)
	c.objects = append(c.objects, optionalText(object))
}

func (c *deliveryColumns) add(id, event, webhookID string, of domain.Event) {
	c.ids, c.events, c.webhooks = append(c.ids, id), append(c.events, event), append(c.webhooks, webhookID)
	c.sellers, c.types = append(c.sellers, string(of.SellerID)), append(c.types, string(of.Type))
}
