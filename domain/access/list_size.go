package access

import (
	"context"

	"ticketgate/domain"
)

const (
	// MaxCounted is the highest number that a list's entries are counted to. Counting that far is fast in a list of
	// any size.
	MaxCounted = 10_000
	// maxSizes is the maximum number of lists per call.
	maxSizes = 100
)

// ListSize is the number of entries in a list.
type ListSize struct {
	ListID  string
	Entries int  // at most MaxCounted
	More    bool // there are more than MaxCounted
}

// sizeOf returns the size of a list with this number of entries, counted up to MaxCounted+1.
func sizeOf(id string, entries int) ListSize {
	return ListSize{ListID: id, Entries: min(entries, MaxCounted), More: entries > MaxCounted}
}

// Sizes counts the entries of lists, in the order of ids. An id that is not a list of the seller is an error with its
// path. It requires accessLists:list, or a session with role VIEWER.
func (s Lists) Sizes(ctx context.Context, ids []string) ([]ListSize, error) {
	actor, err := domain.Authorize(ctx, domain.GetListSizes)
	if err != nil {
		return nil, err
	}
	var errs domain.FieldErrors
	if !errs.Count("ids", len(ids), maxSizes) {
		return nil, errs.Err()
	}
	counted, err := s.Store.ListSizes(ctx, actor.SellerID, ids)
	if err != nil {
		return nil, err
	}
	sizes := make([]ListSize, len(ids))
	for i, id := range ids {
		entries, exists := counted[id]
		if !exists {
			errs.Add(domain.IndexPath("ids", i), "does not exist")
		}
		sizes[i] = sizeOf(id, entries)
	}
	return sizes, errs.Err()
}
