package access

import (
	"context"
	"fmt"

	"ticketgate/domain"
)

const (
	// MostCounted is up to where a list's entries are counted: reading that far is quick in a list of any length.
	MostCounted = 10_000
	// maxSizes is how many lists one call asks for at most.
	maxSizes = 100
)

// ListSize is how many entries a list has.
type ListSize struct {
	ListID  string
	Entries int  // at most MostCounted
	More    bool // there are more than that
}

// sizeOf returns the size of a list of which so many entries were counted, up to one more than MostCounted.
func sizeOf(id string, entries int) ListSize {
	return ListSize{ListID: id, Entries: min(entries, MostCounted), More: entries > MostCounted}
}

// Sizes counts the entries of lists, in the order asked for: accessLists:list, or a session with VIEWER. An id that is not
// a list of the seller's is told by its path.
func (s Lists) Sizes(ctx context.Context, ids []string) ([]ListSize, error) {
	actor, err := domain.Authorize(ctx, domain.GetListSizes)
	if err != nil {
		return nil, err
	}
	if len(ids) > maxSizes {
		return nil, domain.Invalid("ids", fmt.Sprintf("must be at most %d, not %d", maxSizes, len(ids)))
	}
	counted, err := s.Store.ListSizes(ctx, actor.SellerID, ids)
	if err != nil {
		return nil, err
	}
	var problems domain.Problems
	sizes := make([]ListSize, len(ids))
	for i, id := range ids {
		entries, exists := counted[id]
		if !exists {
			problems.Add(domain.IndexPath("ids", i), "does not exist")
		}
		sizes[i] = sizeOf(id, entries)
	}
	return sizes, problems.Err()
}
