package db

import (
	"context"
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// anyState returns a condition that is true for deliveries in one of the states. The same states always give the same
// text.
func anyState(states []webhook.State) string {
	conditions := []string{"false"}
	for _, state := range [...]webhook.State{webhook.Canceled, webhook.Delivered, webhook.Failed, webhook.Pending} {
		if slices.Contains(states, state) {
			conditions = append(conditions, "d.state = '"+string(state)+"'")
		}
	}
	if len(conditions) > 1 {
		conditions = conditions[1:]
	}
	return "(" + strings.Join(conditions, " OR ") + ")"
}

// aboutObject has the deliveries of all events about one object. The ids of deliveries start with the first eight bytes
// of their event's id, so no index by event is needed. OFFSET 0 makes the server search event by event.
const aboutObject = `(SELECT id, object_id, left(id::text, 19) AS made FROM events WHERE seller_id = $1 AND object_id = $2) e
	CROSS JOIN LATERAL (SELECT * FROM deliveries f WHERE f.seller_id = $1 AND f.event_id = e.id
		AND f.id BETWEEN (e.made || '0000-000000000000')::uuid AND (e.made || 'ffff-ffffffffffff')::uuid OFFSET 0) d`

var (
	shownDeliveries = &source[deliveryRow]{columns: shownFields, table: "deliveries AS d"}
	deliveriesAbout = &source[deliveryRow]{columns: shownFields, table: aboutObject}
)

// deliveriesOf selects the seller's deliveries that match the filter.
func deliveriesOf(seller ids.Seller, f webhook.DeliveryFilter) *query[deliveryRow] {
	if f.ObjectID != "" {
		return deliveriesAbout.where("d.seller_id = $ AND e.object_id = $", string(seller), f.ObjectID).
			filteredBy(nil, append(deliveryFilters(f), equals("d.webhook_id", f.WebhookID))...)
	}
	// The two indexes for lists, by seller and by webhook, include the outcome, type and state.
	leading := deliveryFilters(f)
	return shownDeliveries.where("d.seller_id = $", string(seller)).
		whereIf(f.WebhookID != "", "d.webhook_id = $", f.WebhookID).
		filteredBy(leading[:ledDeliveries], leading[ledDeliveries:]...)
}

// ledDeliveries is the number of deliveryFilters, from the first, that can be leading filters.
const ledDeliveries = 5

// deliveryFilters returns the filters for all fields except object and webhook, the most selective first.
func deliveryFilters(f webhook.DeliveryFilter) []filter {
	from, until := latest(f.From, f.CreatedFrom), earliest(f.Until, f.CreatedUntil)
	if f.FailedUntil != nil { // an event is created before its delivery fails
		after := moment.New(f.FailedUntil.Add(time.Millisecond))
		until = earliest(until, &after)
	}
	// The ids of deliveries contain the time of their event and therefore their partition.
	created := filter{
		condition: spanOf("d.id", "uuid", "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
		args:      append(bound("", "", from, uuidBound).args, bound("", "", until, uuidBound).args...),
		used:      from != nil || until != nil, key: true,
	}
	failed := between("d.failed_at", f.FailedFrom, f.FailedUntil)
	if failed.used { // few have failed; with a range of ids next to it, the planner would expect few in that range and scan all of it
		created.key = false
		created.parts = []filter{bound("d.id >= $", "uuid", from, uuidBound), bound("d.id < $", "uuid", until, uuidBound)}
	}
	ended, state, several := inStates(f)
	return []filter{
		failed, ended, equals("d.outcome", f.Outcome), equals("d.type", f.Type), state,
		several, oneOf("d.type", f.TypeIn), created,
	}
}

// inStates returns three filters for states, of which at most one is used. ended has its states in the text, because
// the index of failed and canceled deliveries does not work with arguments.
func inStates(f webhook.DeliveryFilter) (ended, state, several filter) {
	states := wantedStates(f)
	several = oneOf("d.state", states)
	several.used = f.State != "" || len(f.StateIn) > 0
	ended = filter{condition: anyState(states), parts: []filter{several}}
	state = filter{condition: "d.state = $", kind: "text", args: []any{""}}
	switch {
	case !several.used:
	case !slices.ContainsFunc(states, func(s webhook.State) bool { return s != webhook.Failed && s != webhook.Canceled }):
		ended.used, several = true, several.unused()
	case len(states) == 1:
		state, several = equals("d.state", states[0]), several.unused()
	}
	return ended, state, several
}

// wantedStates returns the states that a filter admits. It returns none if the filter names no state, or if its two
// fields contradict each other.
func wantedStates(f webhook.DeliveryFilter) []webhook.State {
	if f.State == "" {
		return f.StateIn
	}
	if len(f.StateIn) > 0 && !slices.Contains(f.StateIn, f.State) {
		return nil
	}
	return []webhook.State{f.State}
}

func deliveriesList(seller ids.Seller, filter webhook.DeliveryFilter) listing[deliveryRow, webhook.Delivery] {
	return listing[deliveryRow, webhook.Delivery]{query: deliveriesOf(seller, filter), id: "d.id", item: deliveryRow.delivery}
}

// Deliveries lists a seller's deliveries that match the filter.
func (s webhookStore) Deliveries(
	ctx context.Context, seller ids.Seller, filter webhook.DeliveryFilter, page domain.Page,
) (domain.List[webhook.Delivery], error) {
	return deliveriesList(seller, filter).page(ctx, s.Store, page)
}

// DeliveriesOfWebhooks reads one page of matching deliveries for each webhook.
func (s webhookStore) DeliveriesOfWebhooks(
	ctx context.Context, seller ids.Seller, webhooks []string, filter webhook.DeliveryFilter, page domain.Page,
) (map[string]domain.List[webhook.Delivery], error) {
	return deliveriesList(seller, filter).within(ctx, s.Store, "d.webhook_id = parent.id", webhooks, page)
}

// DeliveriesByID returns deliveries of a seller by id, in the order of their ids.
func (s webhookStore) DeliveriesByID(ctx context.Context, seller ids.Seller, ids []string) ([]webhook.Delivery, error) {
	return deliveriesByID(ctx, s.Store, s.sql, seller, ids, "")
}

// DeliveriesForUpdate is like DeliveriesByID and locks the rows.
func (tx *Tx) DeliveriesForUpdate(ctx context.Context, seller ids.Seller, ids []string) ([]webhook.Delivery, error) {
	return deliveriesByID(ctx, tx.store, tx, seller, ids, "UPDATE")
}

func deliveriesByID(
	ctx context.Context, s *Store, on conn, seller ids.Seller, ids []string, lock string,
) ([]webhook.Delivery, error) {
	found, err := deliveries.where("d.seller_id = $ AND d.id = ANY($::uuid[])", string(seller), ids).orderBy("d.id").forUpdate(lock).
		rows(ctx, s, on)
	if err != nil {
		return nil, err
	}
	return each(found, deliveryRow.delivery)
}

// MatchingDeliveriesForUpdate reads up to most matching deliveries of the seller and locks their rows.
func (tx *Tx) MatchingDeliveriesForUpdate(
	ctx context.Context, seller ids.Seller, filter webhook.DeliveryFilter, most int,
) ([]webhook.Delivery, error) {
	matching, err := deliveriesOf(seller, filter).orderBy("d.id").first(ctx, tx.store, tx, most)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(matching))
	for i, item := range matching {
		ids[i] = item.ID
	}
	locked, err := tx.DeliveriesForUpdate(ctx, seller, ids)
	return stillIn(filter, locked), err
}

// stillIn returns the deliveries that still match the filter. Their states may have changed between the search and the
// lock.
func stillIn(filter webhook.DeliveryFilter, found []webhook.Delivery) []webhook.Delivery {
	var still []webhook.Delivery
	for _, d := range found {
		if filter.Admits(d.State) {
			still = append(still, d)
		}
	}
	return still
}

// UpdateRetriggered stores requests for manual attempts and inserts their jobs.
func (tx *Tx) UpdateRetriggered(ctx context.Context, verdicts []webhook.Verdict) error {
	if len(verdicts) == 0 {
		return nil
	}
	var (
		ids     []string
		sellers []string
		at      []time.Time
		next    []*time.Time
		failed  []*time.Time
		jobs    []webhook.Job
	)
	for _, verdict := range verdicts {
		ids, sellers = append(ids, verdict.Delivery.ID), append(sellers, string(verdict.Delivery.SellerID))
		at = append(at, verdict.Delivery.RetriggeredAt.Time)
		next, failed = append(next, timeOf(verdict.Delivery.NextAttemptAt)), append(failed, timeOf(verdict.Delivery.FailedAt))
		jobs = append(jobs, verdict.Jobs...)
	}
	_, err := exec(ctx, tx, `UPDATE deliveries d SET state = 'pending', retry_requested = true, retriggered_at = w.at,
			next_attempt_at = w.next, failed_at = w.failed, updated_at = w.at
		FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::text[]) AS w (id, at, next, failed, seller_id)
		WHERE d.id = w.id AND d.seller_id = w.seller_id`, ids, at, next, failed, sellers)
	if err != nil {
		return err
	}
	return tx.enqueue(ctx, jobs)
}

// SetAside locks the rows of the deliveries in set_aside and reports for each whether it has one. They are locked in
// one order to prevent deadlocks.
func (tx *Tx) SetAside(ctx context.Context, deliveries ...webhook.Delivery) (map[string]bool, error) {
	webhooks, ids := make([]string, len(deliveries)), make([]string, len(deliveries))
	for i, d := range deliveries {
		webhooks[i], ids[i] = d.WebhookID, d.ID
	}
	found, err := rows[struct {
		ID string `bun:"delivery_id"`
	}](ctx, tx.store, tx, `SELECT s.delivery_id FROM set_aside s
		JOIN unnest($1::text[], $2::uuid[]) AS d (webhook_id, id) ON s.webhook_id = d.webhook_id AND s.delivery_id = d.id
		ORDER BY s.webhook_id, s.delivery_id FOR UPDATE OF s`, webhooks, ids)
	waits := make(map[string]bool, len(found))
	for _, row := range found {
		waits[row.ID] = true
	}
	return waits, err
}

// watchedDay bounds the search for the newest delivery, so that only recent partitions are read.
const watchedDay = 24 * time.Hour

// DeliveriesMark returns a value that changes with the newest delivery and with the number of calls in the latest
// slots. It also changes with a webhook or the seller, and with the deliveries canceled with deleted webhooks. Each
// part is an index lookup, so that polling is cheap.
func (s webhookStore) DeliveriesMark(ctx context.Context, seller ids.Seller, webhookID string) (string, error) {
	now := s.now()
	args := []any{string(seller), uuidBound(now.Add(-watchedDay)), now.Truncate(webhook.Slot).Add(-webhook.Slot)}
	ofDelivery, ofWebhook, ofDeleted := "", "", ""
	if webhookID != "" {
		ofDelivery, ofWebhook, ofDeleted, args = " AND d.webhook_id = $4", " AND w.id = $4", " AND x.id = $4", append(args, webhookID)
	}
	type markRow struct {
		Mark string `bun:"mark"`
	}
	found, err := row[markRow](ctx, s.Store, s.sql, "mark", `SELECT coalesce((SELECT d.id::text FROM deliveries d
			WHERE d.seller_id = $1 AND d.id >= $2`+ofDelivery+` ORDER BY d.id DESC LIMIT 1), '-') || ' ' ||
		coalesce((SELECT sum(f.calls) FROM webhooks w JOIN webhook_figures f ON f.webhook_id = w.id AND f.part = 'all'
			WHERE w.seller_id = $1 AND f.at >= $3`+ofWebhook+`), 0) || ' ' ||
		coalesce((SELECT max(greatest(w.updated_at, s.updated_at))::text FROM webhooks w JOIN sellers s ON s.id = w.seller_id
			WHERE w.seller_id = $1`+ofWebhook+`), '-') || ' ' ||
		(SELECT count(*) + coalesce(sum(x.canceled), 0) FROM deleted_webhooks x WHERE x.seller_id = $1`+ofDeleted+`) AS mark`, args...)
	return found.Mark, err
}
