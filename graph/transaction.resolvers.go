package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
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
	return ptr(r.Resolver.Transactions.Get(ctx, id))
}

func (r *transactionResolver) Invoices(ctx context.Context, obj *sale.TransactionRecord, first *int, after *string) (*relay.Connection[sale.InvoiceRecord], error) {
	page := nested[sale.InvoiceFilter]{first: first, after: after, order: domain.OldestFirst}
	return toMany(ctx, obj, idOfTransaction, page, r.Resolver.Invoices.OfTransactions, sale.InvoiceRecord.Cursor)
}

func (r *transactionResolver) IssuedTickets(ctx context.Context, obj *sale.TransactionRecord, first *int, after *string, order domain.ListOrder, filter *ticket.Filter) (*relay.Connection[ticket.Record], error) {
	return toMany(ctx, obj, idOfTransaction, nested[ticket.Filter]{first, after, order, filter},
		r.Tickets.OfTransactions, ticket.Record.Cursor)
}

func (r *transactionResolver) Event(ctx context.Context, obj *sale.TransactionRecord) (*catalog.Event, error) {
	return toOne(ctx, obj, eventOfTransaction, r.CatalogEvents.ByID)
}

func (r *transactionResolver) Checkout(ctx context.Context, obj *sale.TransactionRecord) (*sale.Checkout, error) {
	return toOne(ctx, obj, idOfTransaction, r.Checkouts.ByTransaction)
}

func (r *transactionResolver) Customer(ctx context.Context, obj *sale.TransactionRecord) (*catalog.Customer, error) {
	return toOne(ctx, obj, customerOfTransaction, r.Customers.ByID)
}

func (r *Resolver) Transaction() generated.TransactionResolver { return &transactionResolver{r} }

type transactionResolver struct{ *Resolver }
