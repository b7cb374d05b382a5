package db

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// soldCheckout is a sale, the call that made it, and what becomes of that call.
type soldCheckout struct {
	sale.Sale

	by   completion
	done *completed
}

// checkoutKey names a checkout.
type checkoutKey struct {
	seller ids.Seller
	id     string
}

// checkoutsForUpdate reads the checkouts of calls with what their moves depend on, and locks the checkouts alone.
func (tx *Tx) checkoutsForUpdate(
	ctx context.Context, calls []completion, lock string,
) (map[checkoutKey]sale.LockedCheckout, error) {
	sellers, wanted := make([]string, len(calls)), make([]string, len(calls))
	for i, call := range calls {
		sellers[i], wanted[i] = string(call.seller), call.id
	}
	found, err := checkoutsToChange.where("(c.seller_id, c.id) IN (SELECT * FROM unnest($::text[], $::text[]))", sellers, wanted).
		forUpdate(lock).rows(ctx, tx.store, tx)
	locked := make(map[checkoutKey]sale.LockedCheckout, len(found))
	for _, row := range found {
		one, err := row.locked()
		if err != nil {
			return nil, err
		}
		locked[checkoutKey{one.SellerID, one.ID}] = one
	}
	return locked, err
}

// rememberSold stores the answers of idempotent calls, and returns the sales without those that were answered before. Two calls with
// one key are not in one transaction.
func (tx *Tx) rememberSold(ctx context.Context, sold []soldCheckout, shared bool) ([]soldCheckout, error) {
	var answers []answered
	var kept []soldCheckout
	known := map[answeredRequest]bool{}
	for _, one := range sold {
		if !one.by.idempotent {
			kept = append(kept, one)
			continue
		}
		key := answeredRequest{one.by.request.Scope, one.by.request.Key}
		if known[key] && shared {
			*one.done = completed{alone: true}
			continue
		}
		known[key] = true
		answers = append(answers, answered{one.by.request, one.Checkout})
		kept = append(kept, one)
	}
	if len(answers) == 0 {
		return kept, nil
	}
	stored, err := tx.rememberAnswers(ctx, answers)
	if err != nil {
		return nil, err
	}
	sold, kept = kept, nil
	for _, one := range sold {
		if one.by.idempotent && !stored[answeredRequest{one.by.request.Scope, one.by.request.Key}] {
			*one.done = completed{err: domain.AnsweredBefore()}
			continue
		}
		kept = append(kept, one)
	}
	return kept, nil
}

// storeSold writes sales in as few statements as there are tables. The invoices come last: other sales of their sellers wait for
// the numbers.
func (tx *Tx) storeSold(ctx context.Context, sold []soldCheckout) error {
	var transactions []sale.TransactionRecord
	var tickets []ticket.Record
	var invoices []sale.Invoice
	var events []domain.Event
	var entries []auditRow
	var changed checkoutColumns
	for _, one := range sold {
		if !one.New() {
			continue
		}
		transactions, tickets = append(transactions, one.Transaction), append(tickets, one.Tickets...)
		invoices, events = append(invoices, one.Invoice), append(events, within(one.by.trace, one.Events)...)
		changed.add(one.Sale)
		entry, err := auditRowOf(one.Change, one.by.actor, one.by.call, tx.store.now())
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

// checkoutColumns are checkouts that are complete, column by column. What they are found by stays.
type checkoutColumns struct{ sellers, ids, statuses, documents []string }

func (c *checkoutColumns) add(s sale.Sale) {
	c.sellers, c.ids = append(c.sellers, string(s.Checkout.SellerID)), append(c.ids, s.Checkout.ID)
	c.statuses, c.documents = append(c.statuses, string(s.Checkout.Status)), append(c.documents, string(s.Document))
}

// completeCheckouts writes checkouts that are locked.
func (tx *Tx) completeCheckouts(ctx context.Context, c *checkoutColumns) error {
	_, err := exec(ctx, tx, `UPDATE checkouts c SET status = d.status, document = d.document::json
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS d (seller_id, id, status, document)
		WHERE c.id = d.id AND c.seller_id = d.seller_id`, c.sellers, c.ids, c.statuses, c.documents)
	return err
}
