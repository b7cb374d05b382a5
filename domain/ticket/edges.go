package ticket

import (
	"context"

	"ticketgate/domain"
)

// OfEvents returns a page of each event's tickets, in one query (GRAPH-1). Requires tickets:list, or a session with
// role VIEWER.
func (s Tickets) OfEvents(
	ctx context.Context, events []string, filter Filter, page domain.Page,
) (map[string]domain.List[Record], error) {
	return domain.ReadPages(ctx, domain.ListTickets, s.Store.TicketsOfEvents, events, filter, page)
}

// OfCustomers returns a page of each customer's tickets, in one query (GRAPH-1, GRAPH-4). Requires tickets:list, or a
// session with role VIEWER.
func (s Tickets) OfCustomers(
	ctx context.Context, customers []string, filter Filter, page domain.Page,
) (map[string]domain.List[Record], error) {
	return domain.ReadPages(ctx, domain.ListTickets, s.Store.TicketsOfCustomers, customers, filter, page)
}

// ByBarcode returns the seller's tickets with the given barcodes, in one query (GRAPH-1). Requires tickets:list, or a
// session with role VIEWER.
func (s Tickets) ByBarcode(
	ctx context.Context, barcodes []string,
) (map[string]Record, error) {
	return domain.Read(ctx, domain.GetTicket, s.Store.TicketsByBarcode, barcodes)
}

// Sold returns the number of VALID tickets of each ticket type, in one query (GRAPH-1). Requires tickets:list, or a
// session with role VIEWER.
func (s Tickets) Sold(
	ctx context.Context, types []string,
) (map[string]int, error) {
	return domain.Read(ctx, domain.ListTickets, s.Store.SoldOfTypes, types)
}

// ByID returns the seller's tickets with the given ids, in one query (GRAPH-1). Requires tickets:list, or a session
// with role VIEWER.
func (s Tickets) ByID(ctx context.Context, ids []string) (map[string]Record, error) {
	return domain.Read(ctx, domain.GetTicket, s.Store.TicketsByID, ids)
}

// OfTransactions returns a page of each transaction's tickets, in one query (GRAPH-1). Requires tickets:list, or a
// session with role VIEWER.
func (s Tickets) OfTransactions(
	ctx context.Context, transactions []string, filter Filter, page domain.Page,
) (map[string]domain.List[Record], error) {
	return domain.ReadPages(ctx, domain.ListTickets, s.Store.TicketsOfTransactions, transactions, filter, page)
}
