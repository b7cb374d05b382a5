package db

import (
	"context"

	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/scan"
)

// An event is below its root event and its parent, below theirs, and so on. A ticket for an event admits to all events
// below it, and a ticket blocked for an event is blocked for all below it. Both traversals end even if the rows contain
// a cycle, because UNION returns no event twice. The way up is a database function (migration 0071). The way down has
// two halves, so that the planner uses their indexes however many events it expects.

// eventsAbove returns a SQL expression for the array of the events' ids and those of all events above them. Both
// arguments are SQL expressions, for a seller and for an array of ids.
func eventsAbove(seller, ids string) string { return "events_above(" + seller + ", " + ids + ")" }

// withBelow returns the start of a query, which defines below as the ids of an event and all events below it.
func withBelow(seller, id string) string {
	return `WITH RECURSIVE below (id) AS (
			SELECT ` + id + ` COLLATE "C"
			UNION
			SELECT down.id FROM below CROSS JOIN LATERAL (
				SELECT id FROM catalog_events WHERE seller_id = ` + seller + ` AND root_event_id = below.id
				UNION ALL
				SELECT id FROM catalog_events WHERE seller_id = ` + seller + ` AND parent_event_id = below.id
			) down
		) SELECT id FROM below`
}

// notBlocked returns a condition that is true if ticket t is not blocked for the events or any event above them. Most
// tickets are not blocked for any event, and need no traversal.
func notBlocked(seller, ids string) string {
	return "(t.excluded_event_ids = '{}' OR NOT t.excluded_event_ids && " + eventsAbove(seller, ids) + ")"
}

// Chains returns, for each event, all events above it.
func (s scanStore) Chains(ctx context.Context, seller ids.Seller, ids []string) (scan.Chains, error) {
	type link struct{ Low, ID string }
	found, err := rows[link](ctx, s.Store, s.sql,
		"SELECT low, unnest("+eventsAbove("$1", "ARRAY[low]")+") AS id FROM unnest($2::text[]) AS low", string(seller), textArray(ids))
	chains := make(scan.Chains, len(ids))
	for _, link := range found {
		chains[link.Low] = append(chains[link.Low], link.ID)
	}
	return chains, err
}

// climbedEventRow is an event with the ids of all events above it.
type climbedEventRow struct {
	catalogEventRow `bun:",extend"`

	Above []string `bun:"above,array,scanonly"`
}

var eventsAndAbove = &source[climbedEventRow]{
	columns: "?TableColumns, CASE WHEN coalesce(e.root_event_id, e.parent_event_id) IS NOT NULL THEN " +
		eventsAbove("$1", "array_remove(ARRAY[e.root_event_id, e.parent_event_id], NULL)") + " ELSE '{}' END AS above",
}

// EventAndAbove reads an event and the ids of the events above it in one statement.
func (tx scanTx) EventAndAbove(ctx context.Context, seller ids.Seller, id string) (*catalog.Event, []string, error) {
	list, err := eventsAndAbove.of(seller).withID(id).rows(ctx, tx.store, tx)
	if err != nil || len(list) == 0 {
		return nil, nil, err
	}
	event, err := list[0].event()
	return &event, list[0].Above, err
}

// EventsAndAbove reads events and, for each, the ids of the events above it in one statement.
func (tx scanTx) EventsAndAbove(ctx context.Context, seller ids.Seller, ids []string) (map[string]scan.EventAndAbove, error) {
	if len(ids) == 0 {
		return map[string]scan.EventAndAbove{}, nil
	}
	list, err := eventsAndAbove.of(seller).withIDs(ids).rows(ctx, tx.store, tx)
	found := make(map[string]scan.EventAndAbove, len(list))
	for _, item := range list {
		event, err := item.event()
		if err != nil {
			return nil, err
		}
		found[event.ID] = scan.EventAndAbove{Event: event, Above: item.Above}
	}
	return found, err
}
