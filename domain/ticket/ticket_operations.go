package ticket

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Tickets is what can be done with a seller's tickets.
type Tickets struct {
	Store Store
	Now   func() time.Time
	// Seller finds a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (ids.Org, domain.Features, error)
}

// List returns the seller's tickets, oldest first: tickets:list, or a session with VIEWER. The filter CheckedIn takes
// scans:list as well.
func (s Tickets) List(ctx context.Context, filter Filter, page domain.Page) (domain.List[Record], error) {
	return domain.ReadPage(ctx, domain.ListTickets, s.Store.Tickets, filter, page)
}

// Get returns one ticket: tickets:list, or a session with VIEWER.
func (s Tickets) Get(ctx context.Context, id string) (Record, error) {
	return domain.Read(ctx, domain.GetTicket, s.Store.Ticket, id)
}

// Cursor is a ticket's place in a list.
func (r Record) Cursor() domain.Cursor { return domain.Cursor{CreatedAt: &r.CreatedAt, ID: r.ID} }
