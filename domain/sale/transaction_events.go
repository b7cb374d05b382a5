package sale

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// eventsFor updates the tickets of changed transactions and returns the events to publish. There is at most one per
// transaction, with its updated tickets (SALE-3), and a ticket.updated for each changed ticket (SALE-4).
func eventsFor(
	ctx context.Context, tx TransactionTx, seller ids.Seller, changes []transactionChange, now moment.DateTime,
) ([]domain.Event, error) {
	var concerned []string
	for _, change := range changes {
		_, tells := TransactionEvent(change.old, change.new.Transaction)
		if tells || len(change.unitsToEnd()) > 0 || len(change.new.Metas()) > 0 || len(change.oldMetas()) > 0 {
			concerned = append(concerned, change.new.ID)
		}
	}
	if len(concerned) == 0 {
		return nil, nil
	}
	tickets, err := tx.TicketsOfTransactions(ctx, seller, concerned)
	if err != nil {
		return nil, err
	}
	of := map[string][]ticket.Record{}
	for _, record := range tickets {
		of[*record.TransactionID] = append(of[*record.TransactionID], record)
	}
	var events []domain.Event
	var updated []ticket.Record
	for _, change := range changes {
		changed, err := change.align(of[change.new.ID], now)
		if err != nil {
			return nil, err
		}
		updated = append(updated, changed...)
		if kind, tells := TransactionEvent(change.old, change.new.Transaction); tells {
			events = append(events, transactionEvent(seller, kind, change.new, of[change.new.ID]))
		}
	}
	for _, item := range updated {
		data := append(append([]byte(`{"ticket":`), item.Document...), '}')
		events = append(events, domain.Event{SellerID: seller, Type: "ticket.updated", Data: data})
	}
	return events, tx.UpdateTickets(ctx, seller, updated)
}

// transactionEvent returns an event with the transaction and its tickets as data.
func transactionEvent(
	seller ids.Seller, kind domain.EventType, transaction TransactionRecord, tickets []ticket.Record,
) domain.Event {
	data := append([]byte(`{"transaction":`), transaction.Document...)
	data = append(data, `,"tickets":[`...)
	for i, item := range tickets {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, item.Document...)
	}
	return domain.Event{SellerID: seller, Type: kind, Data: append(data, "]}"...)}
}

// align updates the tickets in place to match their transaction and returns those that changed.
func (c transactionChange) align(tickets []ticket.Record, now moment.DateTime) ([]ticket.Record, error) {
	ends := c.ending(tickets)
	before, metas := c.oldMetas(), c.new.Metas()
	var updated []ticket.Record
	for i, elem := range tickets {
		item := ""
		if elem.CartItemID != nil {
			item = *elem.CartItemID
		}
		var fields []ecmajson.Field
		if ends[elem.ID] && elem.Status != ticket.Invalid {
			fields = append(fields, ecmajson.Field{Name: "status", Value: ecmajson.NewString(string(ticket.Invalid))})
		}
		extra := ecmajson.Value{}
		if found := ticket.WithMetaInstead(elem.ExtraFields, before[item], metas[item]); found != nil {
			extra = *found
		}
		fields = append(fields, ecmajson.Field{Name: "extraFields", Value: extra})
		changed, differs, err := elem.With(now, fields...)
		if err != nil {
			return nil, err
		}
		if differs {
			tickets[i] = changed
			updated = append(updated, changed)
		}
	}
	return updated, nil
}

// ending returns the ids of the tickets that become INVALID (SALE-4). If the transaction moves to CANCELED, these are all its
// tickets. Otherwise it is one ticket per newly canceled unit of a cart item. The document does not say which, so tickets
// that are already INVALID count first, then the oldest.
func (c transactionChange) ending(tickets []ticket.Record) map[string]bool {
	ends := map[string]bool{}
	if c.new.Status == TransactionCanceled {
		for _, item := range tickets {
			ends[item.ID] = c.old == nil || c.old.Status != TransactionCanceled
		}
		return ends
	}
	left := c.unitsToEnd()
	for _, item := range tickets {
		if item.Status == ticket.Invalid && item.CartItemID != nil {
			left[*item.CartItemID]--
		}
	}
	for _, item := range tickets {
		if item.Status != ticket.Invalid && item.CartItemID != nil && left[*item.CartItemID] > 0 {
			left[*item.CartItemID]--
			ends[item.ID] = true
		}
	}
	return ends
}

// unitsToEnd returns the number of canceled tickets per cart item, for items of which this change cancels more.
func (c transactionChange) unitsToEnd() map[string]int {
	before := map[cancellable]int{}
	if c.old != nil {
		before = canceledItems(*c.old)
	}
	units := map[string]int{}
	for item, count := range canceledItems(c.new.Transaction) {
		if item.kind == CancellableTicket && count > before[item] {
			units[item.cartItemID] = count
		}
	}
	return units
}

// oldMetas returns the Metas before the change.
func (c transactionChange) oldMetas() map[string]ecmajson.Value {
	if c.old == nil {
		return nil
	}
	return c.old.Metas()
}

// SoldTickets returns the statements of the transaction about its tickets, and false if there are none.
func (t Transaction) SoldTickets() (ticket.Sold, bool) {
	sold := ticket.Sold{Canceled: t.Status == TransactionCanceled, Ended: map[string]int{}, Metas: t.Metas()}
	for item, count := range canceledItems(t) {
		if item.kind == CancellableTicket {
			sold.Ended[item.cartItemID] = count
		}
	}
	return sold, sold.Canceled || len(sold.Ended) > 0 || len(sold.Metas) > 0
}

// Metas returns the non-empty meta objects of cart items, keyed by the item's _id. They are added to the extraFields of the
// items' tickets (SALE-2).
func (t Transaction) Metas() map[string]ecmajson.Value {
	found := map[string]ecmajson.Value{}
	for _, item := range t.Tickets {
		if item.Meta != nil && item.ID != nil && len(item.Meta.Fields()) > 0 {
			found[*item.ID] = *item.Meta
		}
	}
	return found
}
