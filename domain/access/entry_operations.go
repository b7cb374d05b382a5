package access

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Entries is what can be done with the entries of a seller's lists, one by one.
type Entries struct {
	Store Store
	Now   func() time.Time
}

// Create adds an entry to a static list: accessLists:update, or a session with MANAGER. A code that the list already has
// is ENTRY_ALREADY_IN_LIST, also when two requests race (decisions 2.5).
func (s Entries) Create(ctx context.Context, listID string, input NewEntry) (Entry, error) {
	actor, err := domain.Authorize(ctx, domain.CreateEntry)
	if err != nil {
		return Entry{}, err
	}
	now := s.Now()
	made := Entry{
		ID: ids.New(now), ListID: listID, SellerID: actor.SellerID,
		CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}
	if err := made.apply(input); err != nil {
		return Entry{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		list, err := tx.List(ctx, actor.SellerID, listID)
		if err != nil {
			return err
		}
		if err := list.holdsEntries(); err != nil {
			return err
		}
		tx.Answer(made)
		return tx.InsertEntry(ctx, made)
	})
	return made, err
}

// holdsEntries refuses entries for a list whose codes its listener knows.
func (l *List) holdsEntries() error {
	if l.Type == Remote {
		return domain.InvalidState("A remote list holds no entries: its listener is asked for codes")
	}
	return nil
}

// List returns a list's entries, oldest first: accessLists:list, or a session with VIEWER.
func (s Entries) List(ctx context.Context, listID string, filter EntryFilter, page domain.Page) (domain.List[Entry], error) {
	actor, err := domain.Authorize(ctx, domain.ListEntries)
	if err != nil {
		return domain.List[Entry]{}, err
	}
	// A list that is not the seller's is a 404, and not an empty page.
	if _, err := s.Store.List(ctx, actor.SellerID, listID); err != nil {
		return domain.List[Entry]{}, err
	}
	if err := s.knowsEvent(ctx, actor.SellerID, filter, "withoutTicketFor"); err != nil {
		return domain.List[Entry]{}, err
	}
	return s.Store.Entries(ctx, actor.SellerID, listID, filter, page)
}

// knowsEvent refuses a filter that names an event that is not there, by the path at which it does.
func (s Entries) knowsEvent(ctx context.Context, seller ids.Seller, filter EntryFilter, path string) error {
	if filter.WithoutTicketFor == "" {
		return nil
	}
	known, err := s.Store.HasEvent(ctx, seller, filter.WithoutTicketFor)
	if err == nil && !known {
		err = domain.Invalid(path, "does not name an event")
	}
	return err
}

// Get returns one entry of a list: accessLists:list, or a session with VIEWER.
func (s Entries) Get(ctx context.Context, listID, id string) (Entry, error) {
	actor, err := domain.Authorize(ctx, domain.GetEntry)
	if err != nil {
		return Entry{}, err
	}
	return s.Store.Entry(ctx, actor.SellerID, listID, id)
}

// Update changes an entry: accessLists:update, or a session with MANAGER. A change that changes nothing writes nothing.
// Expected is the updatedAt that the caller last saw, if it says so: see domain.Unchanged.
func (s Entries) Update(ctx context.Context, listID, id string, input NewEntry, expected *moment.DateTime) (Entry, error) {
	actor, err := domain.Authorize(ctx, domain.UpdateEntry)
	if err != nil {
		return Entry{}, err
	}
	found, err := s.Store.Entry(ctx, actor.SellerID, listID, id)
	if err == nil {
		err = found.apply(input)
	}
	if err != nil {
		return Entry{}, err
	}
	var after Entry
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := tx.EntryForUpdate(ctx, actor.SellerID, listID, id)
		if err == nil {
			err = domain.Unchanged(ctx, expected, before.UpdatedAt)
		}
		if err != nil {
			return err
		}
		after = before
		if err := after.apply(input); err != nil || after.same(&before) {
			return err
		}
		after.UpdatedAt = domain.NextUpdate(s.Now(), before.UpdatedAt)
		return tx.UpdateEntry(ctx, after)
	})
	if err != nil {
		return Entry{}, err
	}
	return after, nil
}

// Delete removes an entry and returns it: accessLists:update, or a session with MANAGER.
func (s Entries) Delete(ctx context.Context, listID, id string, expected *moment.DateTime) (Entry, error) {
	actor, err := domain.Authorize(ctx, domain.DeleteEntry)
	if err != nil {
		return Entry{}, err
	}
	var deleted Entry
	err = s.Store.InTx(ctx, func(tx Tx) (err error) {
		if deleted, err = tx.EntryForUpdate(ctx, actor.SellerID, listID, id); err == nil {
			err = domain.Unchanged(ctx, expected, deleted.UpdatedAt)
		}
		if err != nil {
			return err
		}
		return tx.DeleteEntry(ctx, deleted)
	})
	return deleted, err
}
