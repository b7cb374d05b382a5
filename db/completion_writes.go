package db

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// soldCheckout is a sale with the call that made it and the outcome of that call.
type soldCheckout struct {
	sale.Sale

	by   completion
	done *completed
}

// checkoutKey identifies a checkout.
type checkoutKey struct {
	seller ids.Seller
	id     string
}

// checkoutsForUpdate reads the checkouts of calls with the data that their state transitions depend on. It locks only
// the checkouts.
func (tx *Tx) checkoutsForUpdate(
	ctx context.Context, calls []completion, lock string,
) (map[checkoutKey]sale.LockedCheckout, error) {
	sellers, wanted := make([]string, len(calls)), make([]string, len(calls))
	for i, call := range calls {
		sellers[i], wanted[i] = string(call.seller), call.id
	}
	// The sellers are compared with IS NOT DISTINCT FROM, which no index serves. While the table is small, the planner
	// would otherwise read all checkouts of each seller.
	found, err := checkoutsToChange.where(`c.id = ANY($^::text[]) AND EXISTS (SELECT FROM unnest($::text[], $::text[]) AS d (id, seller_id)
			WHERE d.id = c.id AND d.seller_id IS NOT DISTINCT FROM c.seller_id)`, wanted, sellers).
		forUpdate(lock).rows(ctx, tx.store, tx)
	locked := make(map[checkoutKey]sale.LockedCheckout, len(found))
	for _, row := range found {
		lockedCheckout, err := row.locked()
		if err != nil {
			return nil, err
		}
		locked[checkoutKey{lockedCheckout.SellerID, lockedCheckout.ID}] = lockedCheckout
	}
	return locked, err
}

// recordSold stores the responses of idempotent calls. It returns the sales without those whose call already has a
// stored response. Two calls with one key never share a transaction.
func (tx *Tx) recordSold(ctx context.Context, sold []soldCheckout, shared bool) ([]soldCheckout, error) {
	var responses []idempotentResponse
	var kept []soldCheckout
	known := map[requestKey]bool{}
	for _, item := range sold {
		if !item.by.idempotent {
			kept = append(kept, item)
			continue
		}
		key := requestKey{item.by.request.Scope, item.by.request.Key}
		if known[key] && shared {
			*item.done = completed{alone: true}
			continue
		}
		known[key] = true
		responses = append(responses, idempotentResponse{item.by.request, item.Checkout})
		kept = append(kept, item)
	}
	if len(responses) == 0 {
		return kept, nil
	}
	stored, err := tx.storeResponses(ctx, responses)
	if err != nil {
		return nil, err
	}
	sold, kept = kept, nil
	for _, item := range sold {
		if item.by.idempotent && !stored[requestKey{item.by.request.Scope, item.by.request.Key}] {
			*item.done = completed{err: domain.AlreadyAnswered()}
			continue
		}
		kept = append(kept, item)
	}
	return kept, nil
}

// storeSold writes sales with one statement per table. Invoices come last, because other sales of the same sellers wait
// for the invoice numbers.
func (tx *Tx) storeSold(ctx context.Context, sold []soldCheckout) error {
	var transactions []sale.TransactionRecord
	var tickets []ticket.Record
	var invoices []sale.Invoice
	var events []domain.Event
	var entries []auditRow
	var changed checkoutColumns
	for _, item := range sold {
		if !item.New() {
			continue
		}
		transactions, tickets = append(transactions, item.Transaction), append(tickets, item.Tickets...)
		invoices, events = append(invoices, item.Invoice), append(events, withTrace(item.by.trace, item.Events)...)
		changed.add(item.Sale)
		entry, err := auditRowOf(item.Change, item.by.actor, item.by.call, tx.store.now())
		if err != nil {
			return err
		}
		entries = append(entries, entry)
	}
	if len(transactions) == 0 {
		return nil
	}
	if _, err := tx.createTransactions(ctx, func(t sale.TransactionRecord) ids.Seller { return t.SellerID }, transactions); err != nil {
		return err
	}
	if _, err := tx.createTickets(ctx, func(t ticket.Record) ids.Seller { return t.SellerID }, tickets); err != nil {
		return err
	}
	if err := tx.completeCheckouts(ctx, &changed); err != nil {
		return err
	}
	if err := insertAll(ctx, tx, entries); err != nil {
		return err
	}
	if _, err := tx.publishAll(ctx, events); err != nil {
		return err
	}
	return tx.createInvoices(ctx, func(i sale.Invoice) ids.Seller { return i.SellerID }, invoices)
}

// checkoutColumns are completed checkouts, column by column. Sellers and ids identify the rows.
type checkoutColumns struct{ sellers, ids, statuses, documents []string }

func (c *checkoutColumns) add(s sale.Sale) {
	c.sellers, c.ids = append(c.sellers, string(s.Checkout.SellerID)), append(c.ids, s.Checkout.ID)
	c.statuses, c.documents = append(c.statuses, string(s.Checkout.Status)), append(c.documents, string(s.Document))
}

// completeCheckouts updates locked checkouts.
func (tx *Tx) completeCheckouts(ctx context.Context, c *checkoutColumns) error {
	_, err := exec(ctx, tx, `UPDATE checkouts c SET status = d.status, document = d.document::json
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS d (seller_id, id, status, document)
		WHERE c.id = d.id AND c.seller_id IS NOT DISTINCT FROM d.seller_id`, c.sellers, c.ids, c.statuses, c.documents)
	return err
}
