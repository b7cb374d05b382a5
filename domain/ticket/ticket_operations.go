package ticket

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Tickets implements the operations on a seller's tickets.
type Tickets struct {
	Store Store
	Now   func() time.Time
	// Seller returns a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (ids.Org, domain.Features, error)
}

// List returns a page of the seller's tickets, oldest first. Requires tickets:list, or a session with role VIEWER.
func (s Tickets) List(ctx context.Context, filter Filter, page domain.Page) (domain.List[Record], error) {
	return domain.ReadPage(ctx, domain.ListTickets, s.Store.Tickets, filter, page)
}

// Get returns a ticket. Requires tickets:list, or a session with role VIEWER.
func (s Tickets) Get(ctx context.Context, id string) (Record, error) {
	return domain.Read(ctx, domain.GetTicket, s.Store.Ticket, id)
}

// Cursor returns the ticket's position in lists.
func (r Record) Cursor() domain.Cursor { return domain.Cursor{CreatedAt: &r.CreatedAt, ID: r.ID} }
