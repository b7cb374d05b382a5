package catalog

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Events implements the operations on a seller's events. Changes publish event.created, event.updated or event.deleted.
type Events struct {
	resource[Event, *Event, NewEvent, EventChange, EventFilter]
}

func eventsOn(on base) Events {
	return Events{resource[Event, *Event, NewEvent, EventChange, EventFilter]{
		base: on, object: "event", create: domain.CreateEvent, get: domain.GetEvent, list: domain.ListEvents,
		update: domain.UpdateEvent, delete: domain.DeleteEvent,
		one: on.store.Event, many: on.store.EventsByID, page: on.store.Events,
		insert: Tx.InsertEvent, replace: Tx.UpdateEvent, remove: Tx.DeleteEvent,
		prepare: func(ctx context.Context, tx Tx, _ *Event) (follow[Event], error) {
			return func(_, event *Event) error { return event.publish(ctx, tx, eventCreated) }, nil
		},
		lock: on.lockEvent,
	}}
}

// Delete deletes an event with its ticket types and scan zones, publishes event.deleted and returns the event. If other
// events, tickets, purchase intents, scan groups or devices refer to it or to one of those, it returns INVALID_STATE
// (CATALOG-1). Requires events:update, or a session with role MANAGER.
func (s Events) Delete(ctx context.Context, id string, expected *moment.DateTime) (Event, error) {
	return s.removed(ctx, id, expected)
}

// ByTransaction returns the events of the transactions, keyed by transaction _id, in one query (GRAPH-1). Requires
// events:list, or a session with role VIEWER.
func (s Events) ByTransaction(ctx context.Context, transactions []string) (map[string]Event, error) {
	return domain.Read(ctx, domain.GetEvent, s.store.EventsByTransaction, transactions)
}

// OfEvents returns a page of the events that refer to each event as their parent or root, in one query (GRAPH-1).
// Requires events:list, or a session with role VIEWER.
func (s Events) OfEvents(
	ctx context.Context, events []string, filter EventFilter, page domain.Page,
) (map[string]domain.List[Event], error) {
	return domain.ReadPages(ctx, domain.ListEvents, s.store.EventsOfEvents, events, filter, page)
}

// OfScanGroups returns a page of each scan group's events, in one query (GRAPH-1). Requires events:list, or a session
// with role VIEWER.
func (s Events) OfScanGroups(
	ctx context.Context, groups []string, filter EventFilter, page domain.Page,
) (map[string]domain.List[Event], error) {
	return domain.ReadPages(ctx, domain.ListEvents, s.store.EventsOfScanGroups, groups, filter, page)
}

// OfDevices returns a page of each device's events, in one query (GRAPH-1). Requires events:list, or a session with
// role VIEWER.
func (s Events) OfDevices(
	ctx context.Context, devices []string, filter EventFilter, page domain.Page,
) (map[string]domain.List[Event], error) {
	return domain.ReadPages(ctx, domain.ListEvents, s.store.EventsOfDevices, devices, filter, page)
}

func (e *Event) common() common { return common{&e.ID, &e.SellerID, &e.CreatedAt, &e.UpdatedAt} }

func (n NewEvent) names() (ids.Seller, *string) { return n.SellerID, n.ID }

func (n NewEvent) record(errs *domain.FieldErrors) Event {
	event := Event{Type: Single, TimeZone: defaultTimeZone}
	if n.Type != "" {
		event.Type = n.Type
	}
	if !event.Type.Valid() {
		errs.Add("type", "must be one of SINGLE, GROUP, RECURRENCE, ROOT")
	}
	return event
}

func (c EventChange) expects() (ids.Seller, *moment.DateTime) {
	return c.SellerID, c.ExpectedUpdatedAt
}

// The events that changes of events publish.
const (
	eventCreated domain.EventType = "event.created"
	eventUpdated domain.EventType = "event.updated"
	eventDeleted domain.EventType = "event.deleted"
)

// lockEvent locks an event. Changes that set a root or parent also lock the seller's whole hierarchy, because two
// concurrent changes could create a cycle that neither of them sees. Before a deletion, it reads the ticket types that
// are deleted with the event.
func (b base) lockEvent(
	ctx context.Context, tx Tx, seller ids.Seller, id string, change *EventChange,
) (Event, follow[Event], error) {
	if change == nil {
		return b.lockToDelete(ctx, tx, seller, id)
	}
	if change.RootEventID.Value != nil || change.ParentEventID.Value != nil {
		if err := tx.LockPlaces(ctx, seller); err != nil {
			return Event{}, nil, err
		}
	}
	found, err := tx.EventForUpdate(ctx, seller, id)
	return found, func(before, after *Event) error {
		if !after.opensLike(*before) {
			if err := tx.NotifyDevices(ctx, *after); err != nil {
				return err
			}
		}
		return after.publish(ctx, tx, eventUpdated)
	}, err
}

func (b base) lockToDelete(ctx context.Context, tx Tx, seller ids.Seller, id string) (Event, follow[Event], error) {
	found, err := tx.EventForUpdate(ctx, seller, id)
	if err != nil {
		return Event{}, nil, err
	}
	types, err := tx.TicketTypesOf(ctx, seller, id, maxTicketTypes)
	return found, func(before, _ *Event) error {
		last := *before
		last.UpdatedAt = domain.NextUpdate(b.now(), before.UpdatedAt) // WEBHOOK-22
		return last.publishWith(ctx, tx, eventDeleted, types)
	}, err
}
