package catalog

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
)

// Events is what can be done with a seller's events.
type Events struct {
	Store  Store
	Seller SellerOf
	Now    func() time.Time
}

// The event types that a change of an event publishes (spec 6.1).
const (
	eventCreated domain.EventType = "event.created"
	eventUpdated domain.EventType = "event.updated"
	eventDeleted domain.EventType = "event.deleted"
)

// Create makes an event and publishes event.created: events:create, or a session with MANAGER.
func (s Events) Create(ctx context.Context, input NewEvent) (Event, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.CreateEvent, input.SellerID, s.Seller)
	if err != nil {
		return Event{}, err
	}
	var problems domain.Problems
	made := input.event(actor.SellerID, s.Now(), &problems)
	if err := cmp.Or(
		checkUnused(ctx, s.Store.Event, actor.SellerID, input.ID, &problems),
		made.checkAbove(ctx, s.Store, &problems),
		problems.Err(),
	); err != nil {
		return Event{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertEvent(ctx, made); err != nil {
			return err
		}
		if err := tx.Audit(ctx, eventChange(domain.CreateEvent, made).Diff(nil, made)); err != nil {
			return err
		}
		return made.publish(ctx, tx, eventCreated)
	})
	return made, err
}

// event returns the event that the input asks for, and notes what the input alone shows to be wrong.
func (n NewEvent) event(seller domain.SellerID, now time.Time, problems *domain.Problems) Event {
	made := Event{
		ID: newID(problems, n.ID, now), SellerID: seller, Type: Single, TimeZone: defaultTimeZone,
		CreatedAt: domain.NewDateTime(now), UpdatedAt: domain.NewDateTime(now),
	}
	if n.Type != "" {
		made.Type = n.Type
	}
	if !made.Type.Valid() {
		problems.Add("type", "must be one of SINGLE, GROUP, RECURRENCE, ROOT")
	}
	made.apply(n.change(), problems)
	return made
}

// List returns the seller's events that match, oldest first: events:list, or a session with VIEWER.
func (s Events) List(ctx context.Context, filter EventFilter, page domain.Page) (domain.List[Event], error) {
	actor, err := domain.Authorize(ctx, domain.ListEvents)
	if err != nil {
		return domain.List[Event]{}, err
	}
	if err := filter.Check(); err != nil {
		return domain.List[Event]{}, err
	}
	return s.Store.Events(ctx, actor.SellerID, filter, page)
}

// Get returns one event: events:list, or a session with VIEWER.
func (s Events) Get(ctx context.Context, id string) (Event, error) {
	actor, err := domain.Authorize(ctx, domain.GetEvent)
	if err != nil {
		return Event{}, err
	}
	return s.Store.Event(ctx, actor.SellerID, id)
}

// Update changes an event and publishes event.updated: events:update, or a session with MANAGER. A change that
// changes nothing writes nothing.
func (s Events) Update(ctx context.Context, id string, input EventChange) (Event, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.UpdateEvent, input.SellerID, s.Seller)
	if err != nil {
		return Event{}, err
	}
	before, err := s.Store.Event(ctx, actor.SellerID, id)
	if err == nil {
		_, err = before.with(ctx, s.Store, input)
	}
	if err != nil {
		return Event{}, err
	}
	var after Event
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := s.locked(ctx, tx, actor.SellerID, id, input)
		if err == nil {
			err = domain.Unchanged(ctx, input.ExpectedUpdatedAt, before.UpdatedAt)
		}
		if err != nil {
			return err
		}
		if after, err = before.with(ctx, tx, input); err != nil {
			return err
		}
		if unchanged, err := same(before, after); err != nil || unchanged {
			return err
		}
		after.UpdatedAt = domain.NextUpdate(s.Now(), before.UpdatedAt)
		return after.replace(ctx, tx, before)
	})
	return after, err
}

// with returns the event after a change, or everything that is wrong with the change.
func (e Event) with(ctx context.Context, from placeReader, change EventChange) (Event, error) {
	var problems domain.Problems
	e.apply(change, &problems)
	return e, cmp.Or(e.checkAbove(ctx, from, &problems), problems.Err())
}

// locked reads the event that is to change. Where that moves it below others, all such moves of the seller wait for
// each other: two at once could close a circle that neither sees.
func (s Events) locked(ctx context.Context, tx Tx, seller domain.SellerID, id string, input EventChange) (Event, error) {
	if input.RootEventID.Value != nil || input.ParentEventID.Value != nil {
		if err := tx.LockPlaces(ctx, seller); err != nil {
			return Event{}, err
		}
	}
	return tx.EventForUpdate(ctx, seller, id)
}

// replace stores the event in the place of an older state, and tells of it.
func (e *Event) replace(ctx context.Context, tx Tx, before Event) error {
	if err := tx.UpdateEvent(ctx, *e); err != nil {
		return err
	}
	if !e.opensLike(before) {
		if err := tx.TellDevices(ctx, *e); err != nil {
			return err
		}
	}
	if err := tx.Audit(ctx, eventChange(domain.UpdateEvent, *e).Diff(before, e)); err != nil {
		return err
	}
	return e.publish(ctx, tx, eventUpdated)
}

// Delete removes an event with its ticket types and scan zones, publishes event.deleted and returns it: events:update,
// or a session with MANAGER. While other events, tickets, purchase intents, scan
// groups or devices refer to it or to what goes with it, it is INVALID_STATE.
func (s Events) Delete(ctx context.Context, id string, expected *domain.DateTime) (Event, error) {
	actor, err := domain.Authorize(ctx, domain.DeleteEvent)
	if err != nil {
		return Event{}, err
	}
	var deleted Event
	err = s.Store.InTx(ctx, func(tx Tx) (err error) {
		if deleted, err = tx.EventForUpdate(ctx, actor.SellerID, id); err == nil {
			err = domain.Unchanged(ctx, expected, deleted.UpdatedAt)
		}
		if err != nil {
			return err
		}
		types, err := tx.TicketTypesOf(ctx, actor.SellerID, id, maxTicketTypes)
		if err != nil {
			return err
		}
		if err := tx.DeleteEvent(ctx, actor.SellerID, id); err != nil {
			return err
		}
		if err := tx.Audit(ctx, eventChange(domain.DeleteEvent, deleted).Diff(deleted, nil)); err != nil {
			return err
		}
		last := deleted
		last.UpdatedAt = domain.NextUpdate(s.Now(), deleted.UpdatedAt) // WEBHOOK-22
		return last.publishWith(ctx, tx, eventDeleted, types)
	})
	return deleted, err
}

func eventChange(action domain.Operation, e Event) domain.Change {
	return domain.Change{SellerID: e.SellerID, Action: action, Object: "event", ObjectID: e.ID}
}
