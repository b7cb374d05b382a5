package graph

import (
	"ticketgate/domain/catalog"
	"ticketgate/domain/ticket"
)

// The ids by which edges find what belongs to an object, and those that name another one.

func idOfEvent(e *catalog.Event) string { return e.ID }

func eventOfTicketType(t *catalog.TicketType) string { return t.EventID }

func eventOfTicket(t *ticket.Record) string { return t.EventID }

func typeOfTicket(t *ticket.Record) string { return t.TicketTypeID }
