package sale

import (
	"context"

	"ticketgate/domain"
)

// ByID returns the seller's transactions with the given ids, in one query (GRAPH-1). Ids without a transaction are left out:
// imported tickets may name transactions that were never imported. Requires transactions:list, or a session with role VIEWER.
func (s Transactions) ByID(ctx context.Context, ids []string) (map[string]TransactionRecord, error) {
	return domain.Read(ctx, domain.GetTransaction, s.Store.TransactionsByID, ids)
}

// OfTransactions returns a page of each transaction's invoices, oldest first, in one query (GRAPH-1). Requires invoices:list,
// or a session with role VIEWER.
func (s Invoices) OfTransactions(
	ctx context.Context, transactions []string, filter InvoiceFilter, page domain.Page,
) (map[string]domain.List[InvoiceRecord], error) {
	return domain.ReadPages(ctx, domain.ListInvoices, s.Store.InvoicesOfTransactions, transactions, filter, page)
}

// OfEvents returns a page of each event's transactions, in one query (GRAPH-1). Requires transactions:list, or a session with
// role VIEWER.
func (s Transactions) OfEvents(
	ctx context.Context, events []string, filter TransactionFilter, page domain.Page,
) (map[string]domain.List[TransactionRecord], error) {
	return domain.ReadPages(ctx, domain.ListTransactions, s.Store.TransactionsOfEvents, events, filter, page)
}

// ByTransaction returns the checkouts that became the transactions, keyed by transaction _id, in one query (GRAPH-1).
// Requires checkouts:list, or a session with role VIEWER.
func (s Checkouts) ByTransaction(ctx context.Context, transactions []string) (map[string]Checkout, error) {
	return domain.Read(ctx, domain.GetCheckout, s.Store.CheckoutsByTransaction, transactions)
}

// ByID returns the seller's invoices with the given ids, in one query (GRAPH-1). As in lists, they have no hand-over
// attempts. Requires invoices:list, or a session with role VIEWER.
func (s Invoices) ByID(ctx context.Context, ids []string) (map[string]InvoiceRecord, error) {
	return domain.Read(ctx, domain.GetInvoice, s.Store.InvoicesByID, ids)
}

// Cancellations returns a page of each invoice's cancellations, oldest first, in one query (GRAPH-1). Requires invoices:list,
// or a session with role VIEWER.
func (s Invoices) Cancellations(
	ctx context.Context, invoices []string, filter InvoiceFilter, page domain.Page,
) (map[string]domain.List[InvoiceRecord], error) {
	return domain.ReadPages(ctx, domain.ListInvoices, s.Store.CancellationsOfInvoices, invoices, filter, page)
}
