package catalog

import (
	"context"
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// TicketTypes implements the operations on the ticket types of a seller's events. They use the permissions of events.
// Every change publishes event.updated. Orders and tickets keep the price they were sold at.
type TicketTypes struct {
	resource[TicketType, *TicketType, NewTicketType, TicketTypeChange, TicketTypeFilter]
}

func ticketTypesOn(on base) TicketTypes {
	// The event is locked, so that of two concurrent changes the later event contains both.
	publish := func(ctx context.Context, tx Tx, event *Event) follow[TicketType] {
		return func(_, _ *TicketType) error { return event.publishTypes(ctx, tx, on.now()) }
	}
	return TicketTypes{resource[TicketType, *TicketType, NewTicketType, TicketTypeChange, TicketTypeFilter]{
		base: on, object: "ticketType", create: domain.CreateTicketType, get: domain.GetTicketType, list: domain.ListTicketTypes,
		update: domain.UpdateTicketType, delete: domain.DeleteTicketType,
		one: on.store.TicketType, many: on.store.TicketTypesByID, page: on.store.TicketTypes,
		insert: Tx.InsertTicketType, replace: Tx.UpdateTicketType, remove: Tx.DeleteTicketType,
		prepare: func(ctx context.Context, tx Tx, ticketType *TicketType) (follow[TicketType], error) {
			event, err := ticketType.lockEvent(ctx, tx)
			return publish(ctx, tx, &event), err
		},
		lock: func(
			ctx context.Context, tx Tx, seller ids.Seller, id string, _ *TicketTypeChange,
		) (TicketType, follow[TicketType], error) {
			found, event, err := lockedTicketType(ctx, tx, seller, id)
			return found, publish(ctx, tx, &event), err
		},
	}}
}

// Delete deletes a ticket type, publishes event.updated and returns the ticket type. If tickets, scan groups, open
// checkouts or open purchase intents refer to it, it returns INVALID_STATE. Requires events:update, or a session with
// role MANAGER.
func (s TicketTypes) Delete(ctx context.Context, id string, expected *moment.DateTime) (TicketType, error) {
	return s.removed(ctx, id, expected)
}

// OfEvents returns a page of each event's ticket types, in one query (GRAPH-1). Requires events:list, or a session with
// role VIEWER.
func (s TicketTypes) OfEvents(
	ctx context.Context, events []string, filter TicketTypeFilter, page domain.Page,
) (map[string]domain.List[TicketType], error) {
	return domain.ReadPages(ctx, domain.ListTicketTypes, s.store.TicketTypesOfEvents, events, filter, page)
}

// OfScanGroups returns a page of the ticket types that each scan group admits, in one query (GRAPH-1). Requires
// events:list, or a session with role VIEWER.
func (s TicketTypes) OfScanGroups(
	ctx context.Context, groups []string, filter TicketTypeFilter, page domain.Page,
) (map[string]domain.List[TicketType], error) {
	return domain.ReadPages(ctx, domain.ListTicketTypes, s.store.TicketTypesOfScanGroups, groups, filter, page)
}

func (t *TicketType) common() common { return common{&t.ID, &t.SellerID, &t.CreatedAt, &t.UpdatedAt} }

func (n NewTicketType) names() (ids.Seller, *string) { return n.SellerID, n.ID }

func (n NewTicketType) record(errs *domain.FieldErrors) TicketType {
	errs.Reference("eventId", n.EventID)
	return TicketType{EventID: n.EventID}
}

func (c TicketTypeChange) expects() (ids.Seller, *moment.DateTime) {
	return c.SellerID, c.ExpectedUpdatedAt
}

// checkOthers adds an error if the event does not exist. An existing ticket type keeps its event.
func (t *TicketType) checkOthers(ctx context.Context, from placeReader, before *TicketType, errs *domain.FieldErrors) error {
	if before != nil {
		return nil
	}
	return checkEvent(ctx, from, t.SellerID, &t.EventID, errs)
}

// lockEvent locks the event of a new ticket type. It returns an error if the event does not exist or has too many
// ticket types.
func (t *TicketType) lockEvent(ctx context.Context, tx Tx) (Event, error) {
	event, err := tx.EventForUpdate(ctx, t.SellerID, t.EventID)
	if domain.HasCode(err, domain.CodeNotFound) {
		return Event{}, domain.Invalid("eventId", "does not exist")
	}
	if err != nil {
		return Event{}, err
	}
	types, err := tx.TicketTypesOf(ctx, t.SellerID, t.EventID, maxTicketTypes)
	if err == nil && len(types) >= maxTicketTypes {
		err = domain.Invalid("eventId", fmt.Sprintf("must be an event with fewer than %d ticket types", maxTicketTypes))
	}
	return event, err
}

// lockedTicketType locks an event and then its ticket type, in the same order as the deletion of an event.
func lockedTicketType(ctx context.Context, tx Tx, seller ids.Seller, id string) (TicketType, Event, error) {
	known, err := tx.TicketTypesByID(ctx, seller, []string{id})
	if err != nil {
		return TicketType{}, Event{}, err
	}
	event, err := tx.EventForUpdate(ctx, seller, known[id].EventID)
	if err != nil && !domain.HasCode(err, domain.CodeNotFound) {
		return TicketType{}, Event{}, err
	}
	found, err := tx.TicketTypeForUpdate(ctx, seller, id)
	return found, event, err
}
