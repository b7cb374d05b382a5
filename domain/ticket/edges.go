package ticket

import (
	"context"

	"ticketgate/domain"
)

// OfEvents returns a page of each event's tickets, in one query (GRAPH-1): tickets:list, or a session with VIEWER.
func (s Tickets) OfEvents(
	ctx context.Context, events []string, filter Filter, page domain.Page,
) (map[string]domain.List[Record], error) {
	actor, err := domain.Authorize(ctx, domain.ListTickets)
	if err != nil {
		return nil, err
	}
	if err := filter.accept(ctx); err != nil {
		return nil, err
	}
	return s.Store.TicketsOfEvents(ctx, actor.SellerID, events, filter, page)
}

// OfCustomers returns a page of each customer's tickets, in one query (GRAPH-1): those that name the customer and, of those that name
// none, those that have the customer's email address. Tickets:list, or a session with VIEWER.
func (s Tickets) OfCustomers(
	ctx context.Context, customers []string, filter Filter, page domain.Page,
) (map[string]domain.List[Record], error) {
	actor, err := domain.Authorize(ctx, domain.ListTickets)
	if err != nil {
		return nil, err
	}
	if err := filter.accept(ctx); err != nil {
		return nil, err
	}
	return s.Store.TicketsOfCustomers(ctx, actor.SellerID, customers, filter, page)
}

// ByBarcode returns those of the seller's tickets that have the barcodes, in one query (GRAPH-1): tickets:list, or a session with VIEWER.
func (s Tickets) ByBarcode(
	ctx context.Context, barcodes []string,
) (map[string]Record, error) {
	actor, err := domain.Authorize(ctx, domain.GetTicket)
	if err != nil {
		return nil, err
	}
	return s.Store.TicketsByBarcode(ctx, actor.SellerID, barcodes)
}

// Sold counts the VALID tickets of each ticket type, in one query (GRAPH-1): tickets:list, or a session with VIEWER.
func (s Tickets) Sold(
	ctx context.Context, types []string,
) (map[string]int, error) {
	actor, err := domain.Authorize(ctx, domain.ListTickets)
	if err != nil {
		return nil, err
	}
	return s.Store.SoldOfTypes(ctx, actor.SellerID, types)
}

// ByID returns those of the seller's tickets that the ids name, in one query (GRAPH-1): tickets:list, or a session with VIEWER.
func (s Tickets) ByID(ctx context.Context, ids []string) (map[string]Record, error) {
	actor, err := domain.Authorize(ctx, domain.GetTicket)
	if err != nil {
		return nil, err
	}
	return s.Store.TicketsByID(ctx, actor.SellerID, ids)
}

// OfTransactions returns a page of the tickets of each transaction, in one query (GRAPH-1): tickets:list, or a session with VIEWER.
func (s Tickets) OfTransactions(
	ctx context.Context, transactions []string, filter Filter, page domain.Page,
) (map[string]domain.List[Record], error) {
	actor, err := domain.Authorize(ctx, domain.ListTickets)
	if err != nil {
		return nil, err
	}
	if err := filter.accept(ctx); err != nil {
		return nil, err
	}
	return s.Store.TicketsOfTransactions(ctx, actor.SellerID, transactions, filter, page)
}
