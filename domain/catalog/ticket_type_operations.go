package catalog

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
)

// TicketTypes is what can be done with the ticket types of a seller's events. They follow the permissions of events
// (decisions 4.4).
type TicketTypes struct {
	Store  Store
	Seller SellerOf
	Now    func() time.Time
}

// Create makes a ticket type of an event and publishes event.updated: events:create, or a session with MANAGER.
func (s TicketTypes) Create(ctx context.Context, input NewTicketType) (TicketType, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.CreateTicketType, input.SellerID, s.Seller)
	if err != nil {
		return TicketType{}, err
	}
	var problems domain.Problems
	made := input.ticketType(actor.SellerID, s.Now(), &problems)
	if err := cmp.Or(
		checkUnused(ctx, s.Store.TicketType, actor.SellerID, input.ID, &problems),
		checkEvent(ctx, s.Store, actor.SellerID, &input.EventID, &problems),
		problems.Err(),
	); err != nil {
		return TicketType{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		event, err := made.lockEvent(ctx, tx)
		if err != nil {
			return err
		}
		if err := tx.InsertTicketType(ctx, made); err != nil {
			return err
		}
		if err := tx.Audit(ctx, ticketTypeChange(domain.CreateTicketType, made).Diff(nil, made)); err != nil {
			return err
		}
		return event.publishTypes(ctx, tx, s.Now())
	})
	return made, err
}

// ticketType returns the ticket type that the input asks for, and notes what the input alone shows to be wrong.
func (n NewTicketType) ticketType(seller domain.SellerID, now time.Time, problems *domain.Problems) TicketType {
	made := TicketType{
		ID: newID(problems, n.ID, now), SellerID: seller, EventID: n.EventID,
		CreatedAt: domain.NewDateTime(now), UpdatedAt: domain.NewDateTime(now),
	}
	problems.Reference("eventId", n.EventID)
	made.apply(n.change(), problems)
	return made
}

// List returns the seller's ticket types that match, oldest first: events:list, or a session with VIEWER.
func (s TicketTypes) List(ctx context.Context, filter TicketTypeFilter, page domain.Page) (domain.List[TicketType], error) {
	actor, err := domain.Authorize(ctx, domain.ListTicketTypes)
	if err != nil {
		return domain.List[TicketType]{}, err
	}
	if err := filter.Check(); err != nil {
		return domain.List[TicketType]{}, err
	}
	return s.Store.TicketTypes(ctx, actor.SellerID, filter, page)
}

// Get returns one ticket type: events:list, or a session with VIEWER.
func (s TicketTypes) Get(ctx context.Context, id string) (TicketType, error) {
	actor, err := domain.Authorize(ctx, domain.GetTicketType)
	if err != nil {
		return TicketType{}, err
	}
	return s.Store.TicketType(ctx, actor.SellerID, id)
}

// Update changes a ticket type and publishes event.updated: events:update, or a session with MANAGER. What has been sold
// keeps its price. A change that changes nothing writes and publishes nothing.
func (s TicketTypes) Update(ctx context.Context, id string, input TicketTypeChange) (TicketType, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.UpdateTicketType, input.SellerID, s.Seller)
	if err != nil {
		return TicketType{}, err
	}
	before, err := s.Store.TicketType(ctx, actor.SellerID, id)
	if err == nil {
		_, err = before.with(input)
	}
	if err != nil {
		return TicketType{}, err
	}
	var after TicketType
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, event, err := lockedTicketType(ctx, tx, actor.SellerID, id)
		if err == nil {
			err = domain.Unchanged(ctx, input.ExpectedUpdatedAt, before.UpdatedAt)
		}
		if err != nil {
			return err
		}
		if after, err = before.with(input); err != nil {
			return err
		}
		if unchanged, err := same(before, after); err != nil || unchanged {
			return err
		}
		after.UpdatedAt = domain.NextUpdate(s.Now(), before.UpdatedAt)
		if err := tx.UpdateTicketType(ctx, after); err != nil {
			return err
		}
		if err := tx.Audit(ctx, ticketTypeChange(domain.UpdateTicketType, after).Diff(before, after)); err != nil {
			return err
		}
		return event.publishTypes(ctx, tx, s.Now())
	})
	return after, err
}

// Delete removes a ticket type, publishes event.updated and returns it: events:update, or a session with MANAGER. While
// tickets, scan groups, open checkouts or open purchase intents refer to it, it is INVALID_STATE.
func (s TicketTypes) Delete(ctx context.Context, id string, expected *domain.DateTime) (TicketType, error) {
	actor, err := domain.Authorize(ctx, domain.DeleteTicketType)
	if err != nil {
		return TicketType{}, err
	}
	var deleted TicketType
	err = s.Store.InTx(ctx, func(tx Tx) error {
		found, event, err := lockedTicketType(ctx, tx, actor.SellerID, id)
		if err == nil {
			err = domain.Unchanged(ctx, expected, found.UpdatedAt)
		}
		if err != nil {
			return err
		}
		deleted = found
		if err := tx.DeleteTicketType(ctx, actor.SellerID, id); err != nil {
			return err
		}
		if err := tx.Audit(ctx, ticketTypeChange(domain.DeleteTicketType, deleted).Diff(deleted, nil)); err != nil {
			return err
		}
		return event.publishTypes(ctx, tx, s.Now())
	})
	return deleted, err
}

// lockedTicketType locks a ticket type and, before it, its event, as whatever deletes the event does.
func lockedTicketType(ctx context.Context, tx Tx, seller domain.SellerID, id string) (TicketType, Event, error) {
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

func ticketTypeChange(action domain.Operation, t TicketType) domain.Change {
	return domain.Change{SellerID: t.SellerID, Action: action, Object: "ticketType", ObjectID: t.ID}
}

// with returns the ticket type after a change, or everything that is wrong with the change.
func (t TicketType) with(change TicketTypeChange) (TicketType, error) {
	var problems domain.Problems
	t.apply(change, &problems)
	return t, problems.Err()
}
