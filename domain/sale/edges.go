package sale

import (
	"context"

	"ticketgate/domain"
)

// ByID returns those of the seller's transactions that the ids name, in one query (GRAPH-1): transactions:list, or a session with
// VIEWER. Imported tickets may name transactions that were never handed in (decisions 1.1).
func (s Transactions) ByID(ctx context.Context, ids []string) (map[string]TransactionRecord, error) {
	actor, err := domain.Authorize(ctx, domain.GetTransaction)
	if err != nil {
		return nil, err
	}
	return s.Store.TransactionsByID(ctx, actor.SellerID, ids)
}

// OfTransactions returns a page of each transaction's invoices, oldest first, in one query (GRAPH-1): invoices:list, or a session
// with VIEWER.
func (s Invoices) OfTransactions(
	ctx context.Context, transactions []string, filter InvoiceFilter, page domain.Page,
) (map[string]domain.List[InvoiceRecord], error) {
	actor, err := domain.Authorize(ctx, domain.ListInvoices)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.InvoicesOfTransactions(ctx, actor.SellerID, transactions, filter, page)
}

// OfEvents returns a page of each event's transactions, in one query (GRAPH-1): transactions:list, or a session with VIEWER.
func (s Transactions) OfEvents(
	ctx context.Context, events []string, filter TransactionFilter, page domain.Page,
) (map[string]domain.List[TransactionRecord], error) {
	actor, err := domain.Authorize(ctx, domain.ListTransactions)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.TransactionsOfEvents(ctx, actor.SellerID, events, filter, page)
}

// ByTransaction returns the checkouts that became the transactions, by the _id of the transaction, in one query (GRAPH-1):
// checkouts:list, or a session with VIEWER.
func (s Checkouts) ByTransaction(ctx context.Context, transactions []string) (map[string]Checkout, error) {
	actor, err := domain.Authorize(ctx, domain.GetCheckout)
	if err != nil {
		return nil, err
	}
	return s.Store.CheckoutsByTransaction(ctx, actor.SellerID, transactions)
}

// ByID returns those of the seller's invoices that the ids name, in one query (GRAPH-1): invoices:list, or a session with VIEWER.
// As in lists, they are without the attempts to hand them over.
func (s Invoices) ByID(ctx context.Context, ids []string) (map[string]InvoiceRecord, error) {
	actor, err := domain.Authorize(ctx, domain.GetInvoice)
	if err != nil {
		return nil, err
	}
	return s.Store.InvoicesByID(ctx, actor.SellerID, ids)
}

// Cancellations returns a page of the cancellations of each invoice, oldest first, in one query (GRAPH-1): invoices:list, or a
// session with VIEWER.
func (s Invoices) Cancellations(
	ctx context.Context, invoices []string, filter InvoiceFilter, page domain.Page,
) (map[string]domain.List[InvoiceRecord], error) {
	actor, err := domain.Authorize(ctx, domain.ListInvoices)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.CancellationsOfInvoices(ctx, actor.SellerID, invoices, filter, page)
}
