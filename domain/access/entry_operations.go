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
	if filter.WithoutTicketFor != "" {
		if _, err := s.Store.List(ctx, actor.SellerID, listID); err != nil {
			return domain.List[Entry]{}, err
		}
		if err := s.knowsEvent(ctx, actor.SellerID, filter, "withoutTicketFor"); err != nil {
			return domain.List[Entry]{}, err
		}
	}
	found, err := s.Store.Entries(ctx, actor.SellerID, listID, filter, page)
	if err == nil && len(found.Items) == 0 {
		// A list that is not the seller's is a 404, and not an empty page. One that has entries is the seller's.
		_, err = s.Store.List(ctx, actor.SellerID, listID)
	}
	return found, err
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
	return s.of(listID).Update(ctx, domain.UpdateEntry, id, expected, func(_ Tx, entry Entry) (Entry, error) {
		err := entry.apply(input)
		return entry, err
	})
}

// Delete removes an entry and returns it: accessLists:update, or a session with MANAGER.
func (s Entries) Delete(ctx context.Context, listID, id string, expected *moment.DateTime) (Entry, error) {
	return s.of(listID).Delete(ctx, domain.DeleteEntry, id, expected)
}

// of returns the entries of a list.
func (s Entries) of(listID string) domain.Records[Entry, Tx] {
	return domain.Records[Entry, Tx]{
		Now: s.Now, InTx: s.Store.InTx,
		Read: func(ctx context.Context, seller ids.Seller, id string) (Entry, error) {
			return s.Store.Entry(ctx, seller, listID, id)
		},
		Lock: func(tx Tx, ctx context.Context, seller ids.Seller, id string) (Entry, error) {
			return tx.EntryForUpdate(ctx, seller, listID, id)
		},
		Replace: Tx.UpdateEntry, Remove: Tx.DeleteEntry,
		UpdatedAt: func(e *Entry) *moment.DateTime { return &e.UpdatedAt },
		Same:      (*Entry).same,
	}
}
