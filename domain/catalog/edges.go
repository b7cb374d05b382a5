package catalog

import (
	"context"

	"ticketgate/domain"
)

// ByID returns those of the seller's events that the ids name, in one query (GRAPH-1): events:list, or a session with VIEWER.
func (s Events) ByID(ctx context.Context, ids []string) (map[string]Event, error) {
	actor, err := domain.Authorize(ctx, domain.GetEvent)
	if err != nil {
		return nil, err
	}
	return s.Store.EventsByID(ctx, actor.SellerID, ids)
}

// ByTransaction returns the events of the transactions, by the _id of the transaction, in one query (GRAPH-1): events:list, or a
// session with VIEWER.
func (s Events) ByTransaction(ctx context.Context, transactions []string) (map[string]Event, error) {
	actor, err := domain.Authorize(ctx, domain.GetEvent)
	if err != nil {
		return nil, err
	}
	return s.Store.EventsByTransaction(ctx, actor.SellerID, transactions)
}

// ByID returns those of the seller's scan zones that the ids name, in one query (GRAPH-1): scanZones:list, or a session with
// VIEWER.
func (s ScanZones) ByID(ctx context.Context, ids []string) (map[string]ScanZone, error) {
	actor, err := domain.Authorize(ctx, domain.GetScanZone)
	if err != nil {
		return nil, err
	}
	return s.Store.ScanZonesByID(ctx, actor.SellerID, ids)
}

// ByID returns those of the seller's ticket types that the ids name, in one query (GRAPH-1): events:list, or a session with
// VIEWER.
func (s TicketTypes) ByID(ctx context.Context, ids []string) (map[string]TicketType, error) {
	actor, err := domain.Authorize(ctx, domain.GetTicketType)
	if err != nil {
		return nil, err
	}
	return s.Store.TicketTypesByID(ctx, actor.SellerID, ids)
}

// OfEvents returns a page of each event's ticket types, in one query (GRAPH-1): events:list, or a session with VIEWER.
func (s TicketTypes) OfEvents(
	ctx context.Context, events []string, filter TicketTypeFilter, page domain.Page,
) (map[string]domain.List[TicketType], error) {
	actor, err := domain.Authorize(ctx, domain.ListTicketTypes)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.TicketTypesOfEvents(ctx, actor.SellerID, events, filter, page)
}

// OfEvents returns a page of the events that name each event as their parent or root, in one query (GRAPH-1): events:list,
// or a session with VIEWER.
func (s Events) OfEvents(
	ctx context.Context, events []string, filter EventFilter, page domain.Page,
) (map[string]domain.List[Event], error) {
	actor, err := domain.Authorize(ctx, domain.ListEvents)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.EventsOfEvents(ctx, actor.SellerID, events, filter, page)
}

// OfEvents returns a page of each event's scan zones, in one query (GRAPH-1): scanZones:list, or a session with VIEWER.
func (s ScanZones) OfEvents(
	ctx context.Context, events []string, filter ScanZoneFilter, page domain.Page,
) (map[string]domain.List[ScanZone], error) {
	actor, err := domain.Authorize(ctx, domain.ListScanZones)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.ScanZonesOfEvents(ctx, actor.SellerID, events, filter, page)
}

// ByID returns those of the seller's customers that the ids name, in one query (GRAPH-1): customers:list, or a session with VIEWER.
func (s Customers) ByID(
	ctx context.Context, ids []string,
) (map[string]Customer, error) {
	actor, err := domain.Authorize(ctx, domain.GetCustomer)
	if err != nil {
		return nil, err
	}
	return s.Store.CustomersByID(ctx, actor.SellerID, ids)
}

// OfScanGroups returns a page of the ticket types that each scan group lets in, in one query (GRAPH-1): events:list, or a session
// with VIEWER.
func (s TicketTypes) OfScanGroups(
	ctx context.Context, groups []string, filter TicketTypeFilter, page domain.Page,
) (map[string]domain.List[TicketType], error) {
	actor, err := domain.Authorize(ctx, domain.ListTicketTypes)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.TicketTypesOfScanGroups(ctx, actor.SellerID, groups, filter, page)
}

// OfScanGroups returns a page of the events that each scan group scans, in one query (GRAPH-1): events:list, or a session with
// VIEWER.
func (s Events) OfScanGroups(
	ctx context.Context, groups []string, filter EventFilter, page domain.Page,
) (map[string]domain.List[Event], error) {
	actor, err := domain.Authorize(ctx, domain.ListEvents)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.EventsOfScanGroups(ctx, actor.SellerID, groups, filter, page)
}

// OfDevices returns a page of the events that each device names, in one query (GRAPH-1): events:list, or a session with VIEWER.
func (s Events) OfDevices(
	ctx context.Context, devices []string, filter EventFilter, page domain.Page,
) (map[string]domain.List[Event], error) {
	actor, err := domain.Authorize(ctx, domain.ListEvents)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.EventsOfDevices(ctx, actor.SellerID, devices, filter, page)
}
