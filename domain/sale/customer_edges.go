package sale

import (
	"context"

	"ticketgate/domain"
)

// OfCustomers returns a page of each customer's transactions, in one query (GRAPH-1, GRAPH-4). Requires transactions:list, or
// a session with role VIEWER.
func (s Transactions) OfCustomers(
	ctx context.Context, customers []string, filter TransactionFilter, page domain.Page,
) (map[string]domain.List[TransactionRecord], error) {
	return domain.ReadPages(ctx, domain.ListTransactions, s.Store.TransactionsOfCustomers, customers, filter, page)
}

// OfCustomers returns a page of the invoices of each customer's transactions, in one query (GRAPH-1, GRAPH-4). Requires
// invoices:list, or a session with role VIEWER.
func (s Invoices) OfCustomers(
	ctx context.Context, customers []string, filter InvoiceFilter, page domain.Page,
) (map[string]domain.List[InvoiceRecord], error) {
	return domain.ReadPages(ctx, domain.ListInvoices, s.Store.InvoicesOfCustomers, customers, filter, page)
}

// OfCustomers returns a page of each customer's checkouts, in one query (GRAPH-1, GRAPH-4). Requires checkouts:list, or a
// session with role VIEWER.
func (s Checkouts) OfCustomers(
	ctx context.Context, customers []string, filter CheckoutFilter, page domain.Page,
) (map[string]domain.List[Checkout], error) {
	return domain.ReadPages(ctx, domain.ListCheckouts, s.Store.CheckoutsOfCustomers, customers, filter, page)
}

// OfCustomers returns a page of each customer's purchase intents, in one query (GRAPH-1, GRAPH-4). Requires
// purchaseIntents:list, or a session with role VIEWER.
func (s PurchaseIntents) OfCustomers(
	ctx context.Context, customers []string, filter PurchaseIntentFilter, page domain.Page,
) (map[string]domain.List[PurchaseIntent], error) {
	return domain.ReadPages(ctx, domain.ListPurchaseIntents, s.Store.PurchaseIntentsOfCustomers, customers, filter, page)
}
