package sale

import (
	"context"

	"ticketgate/domain"
)

// ByID returns those of the seller's transactions that the ids name, in one query (GRAPH-1): transactions:list, or a session with
// VIEWER. Imported tickets may name transactions that were never handed in (decisions 1.1).
func (s Transactions) ByID(ctx context.Context, ids []string) (map[string]TransactionRecord, error) {
	return domain.Read(ctx, domain.GetTransaction, s.Store.TransactionsByID, ids)
}

// OfTransactions returns a page of each transaction's invoices, oldest first, in one query (GRAPH-1): invoices:list, or a session
// with VIEWER.
func (s Invoices) OfTransactions(
	ctx context.Context, transactions []string, filter InvoiceFilter, page domain.Page,
) (map[string]domain.List[InvoiceRecord], error) {
	return domain.ReadPages(ctx, domain.ListInvoices, s.Store.InvoicesOfTransactions, transactions, filter, page)
}

// OfEvents returns a page of each event's transactions, in one query (GRAPH-1): transactions:list, or a session with VIEWER.
func (s Transactions) OfEvents(
	ctx context.Context, events []string, filter TransactionFilter, page domain.Page,
) (map[string]domain.List[TransactionRecord], error) {
	return domain.ReadPages(ctx, domain.ListTransactions, s.Store.TransactionsOfEvents, events, filter, page)
}

// ByTransaction returns the checkouts that became the transactions, by the _id of the transaction, in one query (GRAPH-1):
// checkouts:list, or a session with VIEWER.
func (s Checkouts) ByTransaction(ctx context.Context, transactions []string) (map[string]Checkout, error) {
	return domain.Read(ctx, domain.GetCheckout, s.Store.CheckoutsByTransaction, transactions)
}

// ByID returns those of the seller's invoices that the ids name, in one query (GRAPH-1): invoices:list, or a session with VIEWER.
// As in lists, they are without the attempts to hand them over.
func (s Invoices) ByID(ctx context.Context, ids []string) (map[string]InvoiceRecord, error) {
	return domain.Read(ctx, domain.GetInvoice, s.Store.InvoicesByID, ids)
}

// Cancellations returns a page of the cancellations of each invoice, oldest first, in one query (GRAPH-1): invoices:list, or a
// session with VIEWER.
func (s Invoices) Cancellations(
	ctx context.Context, invoices []string, filter InvoiceFilter, page domain.Page,
) (map[string]domain.List[InvoiceRecord], error) {
	return domain.ReadPages(ctx, domain.ListInvoices, s.Store.CancellationsOfInvoices, invoices, filter, page)
}
