package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *mutationResolver) ImportTickets(ctx context.Context, input ticket.Import) (ticket.Imported, error) {
	return r.Tickets.Import(ctx, input)
}

func (r *queryResolver) Tickets(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *ticket.Filter) (relay.Connection[ticket.Record], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.Tickets.List, ticket.Record.Cursor)
}

func (r *queryResolver) Ticket(ctx context.Context, id string) (*ticket.Record, error) {
	return ptr(r.Resolver.Tickets.Get(ctx, id))
}

func (r *ticketResolver) Transaction(ctx context.Context, obj *ticket.Record) (*sale.TransactionRecord, error) {
	return toOne(ctx, obj, transactionOfTicket, r.Resolver.Transactions.ByID)
}

func (r *ticketResolver) Event(ctx context.Context, obj *ticket.Record) (*catalog.Event, error) {
	return toOne(ctx, obj, eventOfTicket, r.CatalogEvents.ByID)
}

func (r *ticketResolver) TicketType(ctx context.Context, obj *ticket.Record) (*catalog.TicketType, error) {
	return toOne(ctx, obj, typeOfTicket, r.TicketTypes.ByID)
}

func (r *ticketResolver) Customer(ctx context.Context, obj *ticket.Record) (*catalog.Customer, error) {
	return toOne(ctx, obj, customerOfTicket, r.Resolver.Customers.ByID)
}

func (r *ticketResolver) Scans(ctx context.Context, obj *ticket.Record, first *int, after *string, order domain.ListOrder, filter *scan.Filter) (*relay.Connection[scan.Scan], error) {
	return toMany(ctx, obj, idOfTicket, nested[scan.Filter]{first, after, order, filter},
		r.Resolver.Scans.OfTickets, positionOfScan)
}

func (r *ticketResolver) Presence(ctx context.Context, obj *ticket.Record) (*scan.Presence, error) {
	return toOne(ctx, obj, idOfTicket, r.Resolver.Scans.PresenceOf)
}

func (r *ticketResolver) Entry(ctx context.Context, obj *ticket.Record) (*access.Entry, error) {
	return toOne(ctx, obj, barcodeOfTicket, r.AccessEntries.ByCode)
}

func (r *ticketResolver) OriginTicket(ctx context.Context, obj *ticket.Record) (*ticket.Record, error) {
	return toOne(ctx, obj, originOfTicket, r.Resolver.Tickets.ByID)
}

func (r *Resolver) Ticket() generated.TicketResolver { return &ticketResolver{r} }

type ticketResolver struct{ *Resolver }
