package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ticket"
	"ticketgate/graph/relay"
)

func (r *mutationResolver) ImportTickets(ctx context.Context, input ticket.Import) (*ticket.Imported, error) {
	return one(r.Tickets.Import(ctx, input))
}

func (r *queryResolver) Tickets(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *ticket.Filter) (*relay.Connection[ticket.Record], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.Tickets.List, ticket.Record.Cursor)
}

func (r *queryResolver) Ticket(ctx context.Context, id string) (*ticket.Record, error) {
	return one(r.Resolver.Tickets.Get(ctx, id))
}
