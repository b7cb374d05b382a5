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
	return s.Store.InvoicesOfTransactions(ctx, actor.SellerID, transactions, filter, page)
}
