package scan

import (
	"context"

	"ticketgate/domain"
)

// OfTickets returns a page of each ticket's scans, in one query (GRAPH-1). It requires scans:list, or a session with
// role VIEWER.
func (s Scans) OfTickets(
	ctx context.Context, tickets []string, filter Filter, page domain.Page,
) (map[string]domain.List[Scan], error) {
	return domain.ReadPages(ctx, domain.ListScans, s.Store.ScansOfTickets, tickets, filter, page)
}

// OfEachEvent returns the occupancy of each event, in one query (GRAPH-1). It requires scans:list, or a session with
// role VIEWER.
func (s Scans) OfEachEvent(
	ctx context.Context, events []string,
) (map[string]Occupancy, error) {
	return domain.Read(ctx, domain.GetOccupancy, s.Store.Occupancies, events)
}

// PresenceOf returns where each ticket is, in one query (GRAPH-1). It requires scans:list, or a session with role
// VIEWER.
func (s Scans) PresenceOf(
	ctx context.Context, tickets []string,
) (map[string]Presence, error) {
	return domain.Read(ctx, domain.GetOccupancy, s.Store.Presences, tickets)
}

// CheckedIn counts the VALID tickets of each ticket type that were ever checked in, in one query (GRAPH-1). It requires
// scans:list, or a session with role VIEWER.
func (s Scans) CheckedIn(
	ctx context.Context, types []string,
) (map[string]int, error) {
	return domain.Read(ctx, domain.GetOccupancy, s.Store.CheckedInOfTypes, types)
}

// Inside counts the VALID tickets of each ticket type that are inside, in one query (GRAPH-1). It requires scans:list,
// or a session with role VIEWER.
func (s Scans) Inside(
	ctx context.Context, types []string,
) (map[string]int, error) {
	return domain.Read(ctx, domain.GetOccupancy, s.Store.InsideOfTypes, types)
}
