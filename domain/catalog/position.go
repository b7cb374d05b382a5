package catalog

import (
	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Position returns the event's position in lists.
func (e Event) Position() domain.Cursor { return position(e.CreatedAt, e.ID) }

// Position returns the ticket type's position in lists.
func (t TicketType) Position() domain.Cursor { return position(t.CreatedAt, t.ID) }

// Position returns the scan zone's position in lists.
func (z ScanZone) Position() domain.Cursor { return position(z.CreatedAt, z.ID) }

// Position returns the customer's position in lists.
func (c Customer) Position() domain.Cursor { return position(c.CreatedAt, c.ID) }

func position(createdAt moment.DateTime, id string) domain.Cursor {
	return domain.Cursor{CreatedAt: &createdAt, ID: id}
}
