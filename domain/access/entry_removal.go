package access

import (
	"context"
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// maxRemoved is the maximum number of entries that one call names.
const maxRemoved = 1000

// Removal selects entries of a list to remove, by their ids or by a filter. With a filter, Count is the number of
// matches that the caller saw.
type Removal struct {
	IDs    []string
	Filter *EntryFilter
	Count  *int
}

// Removed is the result of a Removal.
type Removed struct{ Count int }

func (r Removal) check() error {
	var errs domain.FieldErrors
	switch {
	case (len(r.IDs) == 0) == (r.Filter == nil):
		errs.Add("ids", "or filter is required, but not both")
	case !errs.Count("ids", len(r.IDs), maxRemoved):
	case r.Filter != nil && (r.Count == nil || *r.Count < 1):
		errs.Add("count", "must be the number of matching entries, at least 1")
	}
	return errs.Err()
}

// rows returns the number of rows that are read. A filter reads the whole list.
func (r Removal) rows() int {
	if r.Filter != nil {
		return share.Whole
	}
	return len(r.IDs)
}

// DeleteMany removes many entries of a list, all or none, and writes one audit entry with their number. An id that is
// not in the list is an error with its path. If the number of matches has changed, the error is INVALID_STATE. It
// requires accessLists:update, or a session with role MANAGER.
func (s Entries) DeleteMany(ctx context.Context, listID string, wanted Removal) (Removed, error) {
	actor, err := domain.Authorize(ctx, domain.DeleteEntries)
	if err != nil {
		return Removed{}, err
	}
	if err := wanted.check(); err != nil {
		return Removed{}, err
	}
	if err := s.knowsWanted(ctx, actor.SellerID, listID, wanted); err != nil {
		return Removed{}, err
	}
	var removed Removed
	err = s.Store.InLongTx(ctx, actor.SellerID, wanted.rows(), func(ctx context.Context, tx Tx) error {
		list, err := tx.ListForUpdate(ctx, actor.SellerID, listID)
		if err != nil {
			return err
		}
		if removed.Count, err = wanted.from(ctx, tx, list); err != nil {
			return err
		}
		return tx.Audit(ctx, list.auditEntry(domain.DeleteEntries).Diff(removal{removed.Count}, nil))
	})
	if err != nil {
		return Removed{}, err
	}
	return removed, nil
}

// knowsWanted returns an error if the list, the event or an id does not exist. The removal checks again, since they may
// be deleted in between.
func (s Entries) knowsWanted(ctx context.Context, seller ids.Seller, listID string, wanted Removal) error {
	if _, err := s.Store.List(ctx, seller, listID); err != nil {
		return err
	}
	if wanted.Filter != nil {
		return s.knowsEvent(ctx, seller, *wanted.Filter, "filter.withoutTicketFor")
	}
	there, err := s.Store.EntriesThere(ctx, seller, listID, wanted.IDs)
	if err != nil {
		return err
	}
	return wanted.missing(there)
}

// missing returns an error for each id that is not in there, with its path.
func (r Removal) missing(there []string) error {
	known := make(map[string]bool, len(there))
	for _, id := range there {
		known[id] = true
	}
	var errs domain.FieldErrors
	for i, id := range r.IDs {
		if !known[id] {
			errs.Add(domain.IndexPath("ids", i), "does not exist")
		}
	}
	return errs.Err()
}

// removal is a Removal in the audit log, which does not record the entries themselves.
type removal struct {
	Entries int `json:"entries"`
}

// from removes the selected entries and returns their number. On an error, the transaction must be rolled back.
func (r Removal) from(ctx context.Context, tx Tx, list List) (int, error) {
	if r.Filter != nil {
		removed, err := tx.DeleteMatchingEntries(ctx, list, *r.Filter)
		if err == nil && removed != *r.Count {
			err = domain.InvalidState(fmt.Sprintf("The filter now matches %d entries, not %d. Reload and confirm again", removed, *r.Count))
		}
		return removed, err
	}
	gone, err := tx.DeleteEntries(ctx, list, r.IDs)
	if err != nil {
		return 0, err
	}
	return len(gone), r.missing(gone)
}
