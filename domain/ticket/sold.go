package ticket

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/intake"
)

// Sold is the part of a transaction that affects its tickets.
type Sold struct {
	// Canceled makes all tickets INVALID.
	Canceled bool
	// Ended is the number of canceled tickets per cart item.
	Ended map[string]int
	// Metas holds the meta objects of cart items by the item's _id.
	Metas map[string]ecmajson.Value
}

// The fields that connect a ticket with its transaction and cart item, and the status, which a cancellation changes.
const (
	transactionID = "transactionId"
	cartItemID    = "cartItemId"
	status        = "status"
)

// asSold updates the imported tickets to match the stored transactions, so that the order of imports makes no
// difference (SALE-4). A transaction that is imported later updates its tickets itself.
func (i *importing) asSold(ctx context.Context, tickets []intake.Row) error {
	of := map[string][]*intake.Row{}
	for n := range tickets {
		if id := tickets[n].Text(transactionID); id != "" {
			of[id] = append(of[id], &tickets[n])
		}
	}
	if len(of) == 0 {
		return nil
	}
	sold, err := i.tx.SoldTickets(ctx, i.seller, slices.Sorted(maps.Keys(of)))
	if err != nil {
		return err
	}
	others, err := i.others(ctx, sold)
	if err != nil {
		return err
	}
	for id, transaction := range sold {
		for _, row := range of[id] {
			addMeta(row, transaction.Metas[row.Text(cartItemID)])
		}
		i.end(transaction, of[id], others[id])
	}
	return nil
}

// others returns the stored tickets of partially canceled transactions.
func (i *importing) others(ctx context.Context, sold map[string]Sold) (map[string][]Record, error) {
	var partly []string
	for id, transaction := range sold {
		if !transaction.Canceled && len(transaction.Ended) > 0 {
			partly = append(partly, id)
		}
	}
	of := map[string][]Record{}
	if len(partly) == 0 {
		return of, nil
	}
	stored, err := i.tx.StoredTickets(ctx, i.seller, partly)
	for _, item := range stored {
		of[*item.TransactionID] = append(of[*item.TransactionID], item)
	}
	return of, err
}

// addMeta adds the meta of a ticket's cart item to its extraFields.
func addMeta(ticket *intake.Row, meta ecmajson.Value) {
	var own *ecmajson.Value
	if value, has := ticket.Document.Field(extraFields); has {
		own = &value
	}
	if extra, more := WithMeta(own, meta); more {
		ticket.Document = Definition.With(ticket.Document, extraFields, extra)
	}
}

// end makes tickets of a transaction INVALID (SALE-4): all if the transaction is canceled, otherwise one per canceled
// unit of a cart item. Tickets imported as INVALID count first, then those stored as INVALID, then the oldest.
func (i *importing) end(transaction Sold, tickets []*intake.Row, stored []Record) {
	before := make(map[string]Record, len(stored))
	for _, item := range stored {
		before[item.ID] = item
	}
	left := map[string]int{}
	maps.Copy(left, transaction.Ended)
	var open []*intake.Row
	for _, row := range tickets {
		if Status(row.Text(status)) == Invalid {
			left[row.Text(cartItemID)]--
		} else {
			open = append(open, row)
		}
		delete(before, row.ID)
	}
	for _, item := range before {
		if item.Status == Invalid && item.CartItemID != nil {
			left[*item.CartItemID]--
		}
	}
	i.inOrderOfEnding(open, stored)
	for _, row := range open {
		item := row.Text(cartItemID)
		if transaction.Canceled || left[item] > 0 {
			left[item]--
			row.Document = Definition.With(row.Document, status, ecmajson.NewString(string(Invalid)))
		}
	}
}

// inOrderOfEnding sorts tickets stored as INVALID first, then by age, the oldest first.
func (i *importing) inOrderOfEnding(tickets []*intake.Row, stored []Record) {
	type place struct {
		rank    int
		created string
	}
	places := make(map[string]place, len(tickets))
	known := make(map[string]Record, len(stored))
	for _, item := range stored {
		known[item.ID] = item
	}
	for _, row := range tickets {
		at := place{1, row.Text(createdAt)}
		if old, stored := known[row.ID]; stored {
			at.created = cmp.Or(at.created, old.CreatedAt.String())
			if old.Status == Invalid {
				at.rank = 0
			}
		}
		at.created = cmp.Or(at.created, i.now.String())
		places[row.ID] = at
	}
	slices.SortStableFunc(tickets, func(a, b *intake.Row) int {
		x, y := places[a.ID], places[b.ID]
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.created, y.created), cmp.Compare(a.ID, b.ID))
	})
}
