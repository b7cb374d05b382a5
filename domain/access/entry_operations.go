package access

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Entries implements the operations on the entries of a seller's lists.
type Entries struct {
	Store Store
	Now   func() time.Time
}

// Create adds an entry to a static list. If the list has the code already, the error is ENTRY_ALREADY_IN_LIST, even if
// two requests race (ACCESS-2). It requires accessLists:update, or a session with role MANAGER.
func (s Entries) Create(ctx context.Context, listID string, input NewEntry) (Entry, error) {
	actor, err := domain.Authorize(ctx, domain.CreateEntry)
	if err != nil {
		return Entry{}, err
	}
	now := s.Now()
	entry := Entry{
		ID: ids.New(now), ListID: listID, SellerID: actor.SellerID,
		CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}
	if err := entry.apply(input); err != nil {
		return Entry{}, err
	}
	if _, idempotent := domain.IdempotentRequestOf(ctx); !idempotent {
		if added, err := s.Store.AddEntry(ctx, entry); added || err != nil {
			return entry, err
		}
	}
	return entry, s.createAlone(ctx, entry)
}

// createAlone adds an entry in its own transaction, and stores the response of an idempotent request.
func (s Entries) createAlone(ctx context.Context, entry Entry) error {
	return s.Store.InTx(ctx, func(tx Tx) error {
		list, err := tx.List(ctx, entry.SellerID, entry.ListID)
		if err != nil {
			return err
		}
		if err := list.holdsEntries(); err != nil {
			return err
		}
		tx.SetResponse(entry)
		return tx.InsertEntry(ctx, entry)
	})
}

// holdsEntries returns an error if the list is remote.
func (l *List) holdsEntries() error {
	if l.Type == Remote {
		return domain.InvalidState("A remote list has no entries. Ticketgate looks up its codes at the listener")
	}
	return nil
}

// List returns a list's entries, oldest first. It requires accessLists:list, or a session with role VIEWER.
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
		// An unknown list is a 404, not an empty page. A list with entries must be the seller's, so only empty pages
		// need the check.
		_, err = s.Store.List(ctx, actor.SellerID, listID)
	}
	return found, err
}

// knowsEvent returns an error at path if the filter names an unknown event.
func (s Entries) knowsEvent(ctx context.Context, seller ids.Seller, filter EntryFilter, path string) error {
	if filter.WithoutTicketFor == "" {
		return nil
	}
	known, err := s.Store.HasEvent(ctx, seller, filter.WithoutTicketFor)
	if err == nil && !known {
		err = domain.Invalid(path, "does not exist")
	}
	return err
}

// Get returns an entry of a list. It requires accessLists:list, or a session with role VIEWER.
func (s Entries) Get(ctx context.Context, listID, id string) (Entry, error) {
	actor, err := domain.Authorize(ctx, domain.GetEntry)
	if err != nil {
		return Entry{}, err
	}
	return s.Store.Entry(ctx, actor.SellerID, listID, id)
}

// Update changes an entry. An update without changes writes nothing. Expected is the updatedAt that the caller last
// saw, or nil (see domain.Unchanged). It requires accessLists:update, or a session with role MANAGER.
func (s Entries) Update(ctx context.Context, listID, id string, input NewEntry, expected *moment.DateTime) (Entry, error) {
	return s.of(listID).Update(ctx, domain.UpdateEntry, id, expected, func(_ Tx, entry Entry) (Entry, error) {
		err := entry.apply(input)
		return entry, err
	})
}

// Delete removes an entry and returns it. It requires accessLists:update, or a session with role MANAGER.
func (s Entries) Delete(ctx context.Context, listID, id string, expected *moment.DateTime) (Entry, error) {
	return s.of(listID).Delete(ctx, domain.DeleteEntry, id, expected)
}

// of returns the record operations for the entries of a list.
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
