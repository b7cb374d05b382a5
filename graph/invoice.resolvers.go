package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *invoiceResolver) Transaction(ctx context.Context, obj *sale.InvoiceRecord) (*sale.TransactionRecord, error) {
	return toOne(ctx, obj, transactionOfInvoice, r.Resolver.Transactions.ByID)
}

func (r *invoiceResolver) CanceledBy(ctx context.Context, obj *sale.InvoiceRecord, first *int, after *string, order domain.ListOrder, filter *sale.InvoiceFilter) (*relay.Connection[sale.InvoiceRecord], error) {
	return toMany(ctx, obj, idOfInvoice, nested[sale.InvoiceFilter]{first, after, order, filter},
		r.Resolver.Invoices.Cancellations, sale.InvoiceRecord.Cursor)
}

func (r *invoiceResolver) CanceledInvoice(ctx context.Context, obj *sale.InvoiceRecord) (*sale.InvoiceRecord, error) {
	return toOne(ctx, obj, canceledByInvoice, r.Resolver.Invoices.ByID)
}

func (r *invoiceResolver) Event(ctx context.Context, obj *sale.InvoiceRecord) (*catalog.Event, error) {
	return toOne(ctx, obj, transactionOfInvoice, r.CatalogEvents.ByTransaction)
}

func (r *mutationResolver) RetryInvoiceHandOver(ctx context.Context, id string) (sale.HandOver, error) {
	return r.Invoices.RetryHandOver(ctx, id)
}

func (r *queryResolver) Invoices(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *sale.InvoiceFilter) (relay.Connection[sale.InvoiceRecord], error) {
	return connect(ctx, first, after, order, filter, r.Resolver.Invoices.List, sale.InvoiceOf)
}

func (r *queryResolver) Invoice(ctx context.Context, id string) (*sale.InvoiceRecord, error) {
	return ptr(r.Resolver.Invoices.Get(ctx, id))
}

func (r *Resolver) Invoice() generated.InvoiceResolver { return &invoiceResolver{r} }

type invoiceResolver struct{ *Resolver }
