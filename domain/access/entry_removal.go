package access

import (
	"context"
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// maxRemoved is how many entries one call names at most.
const maxRemoved = 1000

// Removal says which entries of a list are to go: those with these ids, or all that a filter finds, whose number the
// caller has seen.
type Removal struct {
	IDs    []string
	Filter *EntryFilter
	Count  *int
}

// Removed is what became of a Removal.
type Removed struct{ Count int }

func (r Removal) check() error {
	var problems domain.Problems
	switch {
	case (len(r.IDs) == 0) == (r.Filter == nil):
		problems.Add("ids", "or filter must be given, and not both")
	case len(r.IDs) > maxRemoved:
		problems.Add("ids", fmt.Sprintf("must be at most %d, not %d", maxRemoved, len(r.IDs)))
	case r.Filter != nil && (r.Count == nil || *r.Count < 1):
		problems.Add("count", "must be how many entries the filter finds, at least 1")
	}
	return problems.Err()
}

// rows is how many entries are looked at: a filter goes through the whole list.
func (r Removal) rows() int {
	if r.Filter != nil {
		return share.Whole
	}
	return len(r.IDs)
}

// DeleteMany removes many entries of a list, all or none: accessLists:update, or a session with MANAGER. An id that is not
// in the list is told by its path; a filter that finds another number by now is INVALID_STATE. One line of the audit log
// says how many went.
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

// knowsWanted refuses what names something that is not there. Everything may be gone by the time it is removed, so that
// the removal finds out again.
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

// missing returns the ids that are not among those that are there, by their paths.
func (r Removal) missing(there []string) error {
	known := make(map[string]bool, len(there))
	for _, id := range there {
		known[id] = true
	}
	var problems domain.Problems
	for i, id := range r.IDs {
		if !known[id] {
			problems.Add(domain.IndexPath("ids", i), "does not exist")
		}
	}
	return problems.Err()
}

// removal is a Removal as the audit log shows it; entries are a seller's data, and not in it.
type removal struct {
	Entries int `json:"entries"`
}

// from removes what is wanted and tells how many there were; an error takes all of it back.
func (r Removal) from(ctx context.Context, tx Tx, list List) (int, error) {
	if r.Filter != nil {
		removed, err := tx.DeleteMatchingEntries(ctx, list, *r.Filter)
		if err == nil && removed != *r.Count {
			err = domain.InvalidState(fmt.Sprintf("The filter finds %d entries by now, not %d: look again", removed, *r.Count))
		}
		return removed, err
	}
	gone, err := tx.DeleteEntries(ctx, list, r.IDs)
	if err != nil {
		return 0, err
	}
	return len(gone), r.missing(gone)
}
