package sale

import (
	"context"

	"ticketgate/domain"
)

// OfCustomers returns a page of each customer's transactions, in one query (GRAPH-1): those that name the customer and, of those that
// name none, those that have the customer's email address. Transactions:list, or a session with VIEWER.
func (s Transactions) OfCustomers(
	ctx context.Context, customers []string, filter TransactionFilter, page domain.Page,
) (map[string]domain.List[TransactionRecord], error) {
	actor, err := domain.Authorize(ctx, domain.ListTransactions)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.TransactionsOfCustomers(ctx, actor.SellerID, customers, filter, page)
}

// OfCustomers returns a page of the invoices of each customer's transactions, in one query (GRAPH-1): invoices:list, or a session
// with VIEWER.
func (s Invoices) OfCustomers(
	ctx context.Context, customers []string, filter InvoiceFilter, page domain.Page,
) (map[string]domain.List[InvoiceRecord], error) {
	actor, err := domain.Authorize(ctx, domain.ListInvoices)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.InvoicesOfCustomers(ctx, actor.SellerID, customers, filter, page)
}

// OfCustomers returns a page of each customer's checkouts, in one query (GRAPH-1): those that name the customer and, of those that
// name none, those that have the customer's email address. Checkouts:list, or a session with VIEWER.
func (s Checkouts) OfCustomers(
	ctx context.Context, customers []string, filter CheckoutFilter, page domain.Page,
) (map[string]domain.List[Checkout], error) {
	actor, err := domain.Authorize(ctx, domain.ListCheckouts)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.CheckoutsOfCustomers(ctx, actor.SellerID, customers, filter, page)
}

// OfCustomers returns a page of each customer's purchase intents, in one query (GRAPH-1): those that name the customer and, of those
// that name none, those that have the customer's email address. PurchaseIntents:list, or a session with VIEWER.
func (s PurchaseIntents) OfCustomers(
	ctx context.Context, customers []string, filter PurchaseIntentFilter, page domain.Page,
) (map[string]domain.List[PurchaseIntent], error) {
	actor, err := domain.Authorize(ctx, domain.ListPurchaseIntents)
	if err != nil {
		return nil, err
	}
	if err := filter.Check(); err != nil {
		return nil, err
	}
	return s.Store.PurchaseIntentsOfCustomers(ctx, actor.SellerID, customers, filter, page)
}
