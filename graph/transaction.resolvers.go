package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/sale"
	"ticketgate/graph/relay"
)

func (r *mutationResolver) ImportTransactions(ctx context.Context, input sale.TransactionImport) (*sale.ImportedTransactions, error) {
	return one(r.Transactions.Import(ctx, input))
}

func (r *queryResolver) Transactions(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *sale.TransactionFilter) (*relay.Connection[sale.TransactionRecord], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.Transactions.List, sale.TransactionRecord.Cursor)
}

func (r *queryResolver) Transaction(ctx context.Context, id string) (*sale.TransactionRecord, error) {
	return one(r.Resolver.Transactions.Get(ctx, id))
}
