package access

import (
	"context"

	"ticketgate/domain"
)

// ByID returns the seller's access lists with these ids, in one query (GRAPH-1). It requires accessLists:list, or a
// session with role VIEWER.
func (s Lists) ByID(ctx context.Context, ids []string) (map[string]List, error) {
	actor, err := domain.Authorize(ctx, domain.GetAccessList)
	if err != nil {
		return nil, err
	}
	found, err := s.Store.ListsByID(ctx, actor.SellerID, ids)
	for id, list := range found {
		found[id] = redactKey(ctx, list)
	}
	return found, err
}

// SizesByID counts the entries of lists as Sizes does, in one query (GRAPH-1). It requires accessLists:list, or a
// session with role VIEWER.
func (s Lists) SizesByID(ctx context.Context, ids []string) (map[string]ListSize, error) {
	actor, err := domain.Authorize(ctx, domain.GetListSizes)
	if err != nil {
		return nil, err
	}
	counted, err := s.Store.ListSizes(ctx, actor.SellerID, ids)
	sizes := make(map[string]ListSize, len(counted))
	for id, entries := range counted {
		sizes[id] = sizeOf(id, entries)
	}
	return sizes, err
}

// OfLists returns a page of each list's entries, in one query (GRAPH-1). It requires accessLists:list, or a session
// with role VIEWER.
func (s Entries) OfLists(
	ctx context.Context, lists []string, filter EntryFilter, page domain.Page,
) (map[string]domain.List[Entry], error) {
	actor, err := domain.Authorize(ctx, domain.ListEntries)
	if err != nil {
		return nil, err
	}
	if err := s.knowsEvent(ctx, actor.SellerID, filter, "withoutTicketFor"); err != nil {
		return nil, err
	}
	return s.Store.EntriesOfLists(ctx, actor.SellerID, lists, filter, page)
}

// ByCode returns the seller's entries with these codes, the oldest for each code, in one query (GRAPH-1). It requires
// accessLists:list, or a session with role VIEWER.
func (s Entries) ByCode(
	ctx context.Context, codes []string,
) (map[string]Entry, error) {
	return domain.Read(ctx, domain.GetEntry, s.Store.EntriesByCode, codes)
}
