package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/sale"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *mutationResolver) ImportTransactions(ctx context.Context, input sale.TransactionImport) (sale.ImportedTransactions, error) {
	return r.Transactions.Import(ctx, input)
}

func (r *queryResolver) Transactions(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *sale.TransactionFilter) (relay.Connection[sale.TransactionRecord], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.Transactions.List, sale.TransactionRecord.Cursor)
}

func (r *queryResolver) Transaction(ctx context.Context, id string) (*sale.TransactionRecord, error) {
	return one(r.Resolver.Transactions.Get(ctx, id))
}

func (r *transactionResolver) Invoices(ctx context.Context, obj *sale.TransactionRecord, first *int, after *string) (*relay.Connection[sale.InvoiceRecord], error) {
	page := nested[sale.InvoiceFilter]{first: first, after: after, order: domain.OldestFirst}
	return toMany(ctx, obj, idOfTransaction, page, r.Resolver.Invoices.OfTransactions, sale.InvoiceRecord.Cursor)
}

func (r *Resolver) Transaction() generated.TransactionResolver { return &transactionResolver{r} }

type transactionResolver struct{ *Resolver }
