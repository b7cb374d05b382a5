package scan

import (
	"context"

	"ticketgate/domain"
)

// OfTickets returns a page of each ticket's scans, in one query (GRAPH-1): scans:list, or a session with VIEWER.
func (s Scans) OfTickets(
	ctx context.Context, tickets []string, filter Filter, page domain.Page,
) (map[string]domain.List[Scan], error) {
	actor, err := domain.Authorize(ctx, domain.ListScans)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.ScansOfTickets(ctx, actor.SellerID, tickets, filter, page)
}

// OfEachEvent returns how many tickets are inside each event, in one query (GRAPH-1): scans:list, or a session with VIEWER.
func (s Scans) OfEachEvent(
	ctx context.Context, events []string,
) (map[string]Occupancy, error) {
	actor, err := domain.Authorize(ctx, domain.GetOccupancy)
	if err != nil {
		return nil, err
	}
	return s.Store.Occupancies(ctx, actor.SellerID, events)
}

// PresenceOf returns where each ticket is, in one query (GRAPH-1): scans:list, or a session with VIEWER.
func (s Scans) PresenceOf(
	ctx context.Context, tickets []string,
) (map[string]Presence, error) {
	actor, err := domain.Authorize(ctx, domain.GetOccupancy)
	if err != nil {
		return nil, err
	}
	return s.Store.Presences(ctx, actor.SellerID, tickets)
}

// CheckedIn counts the VALID tickets of each ticket type that have a check-in, in one query (GRAPH-1): scans:list, or a session
// with VIEWER.
func (s Scans) CheckedIn(
	ctx context.Context, types []string,
) (map[string]int, error) {
	actor, err := domain.Authorize(ctx, domain.GetOccupancy)
	if err != nil {
		return nil, err
	}
	return s.Store.CheckedInOfTypes(ctx, actor.SellerID, types)
}

// Inside counts the VALID tickets of each ticket type that are inside, in one query (GRAPH-1): scans:list, or a session with VIEWER.
func (s Scans) Inside(
	ctx context.Context, types []string,
) (map[string]int, error) {
	actor, err := domain.Authorize(ctx, domain.GetOccupancy)
	if err != nil {
		return nil, err
	}
	return s.Store.InsideOfTypes(ctx, actor.SellerID, types)
}
