package catalog

import (
	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Position is where the event stands in a list (decisions 3.2).
func (e Event) Position() domain.Cursor { return position(e.CreatedAt, e.ID) }

// Position is where the ticket type stands in a list.
func (t TicketType) Position() domain.Cursor { return position(t.CreatedAt, t.ID) }

// Position is where the scan zone stands in a list.
func (z ScanZone) Position() domain.Cursor { return position(z.CreatedAt, z.ID) }

// Position is where the customer stands in a list.
func (c Customer) Position() domain.Cursor { return position(c.CreatedAt, c.ID) }

func position(createdAt moment.DateTime, id string) domain.Cursor {
	return domain.Cursor{CreatedAt: &createdAt, ID: id}
}
