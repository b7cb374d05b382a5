package graph

import (
	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// The ids by which edges find what belongs to an object, and those that name another one.

func idOfEvent(e *catalog.Event) string { return e.ID }

func eventOfTicketType(t *catalog.TicketType) string { return t.EventID }

func eventOfTicket(t *ticket.Record) string { return t.EventID }

func typeOfTicket(t *ticket.Record) string { return t.TicketTypeID }

func transactionOfTicket(t *ticket.Record) string { return domain.TextOf(t.TransactionID) }

func idOfTransaction(t *sale.TransactionRecord) string { return t.ID }

func transactionOfInvoice(i *sale.InvoiceRecord) string { return i.TransactionID }

func transactionOfCheckout(c *sale.Checkout) string { return domain.TextOf(c.TransactionID) }
