package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
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
	return one(r.Resolver.Tickets.Get(ctx, id))
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

func (r *Resolver) Ticket() generated.TicketResolver { return &ticketResolver{r} }

type ticketResolver struct{ *Resolver }
