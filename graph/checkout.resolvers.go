package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/identification"
	"ticketgate/domain/sale"
	"ticketgate/domain/texts"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *checkoutResolver) Transaction(ctx context.Context, obj *sale.Checkout) (*sale.TransactionRecord, error) {
	return toOne(ctx, obj, transactionOfCheckout, r.Resolver.Transactions.ByID)
}

func (r *checkoutResolver) Event(ctx context.Context, obj *sale.Checkout) (*catalog.Event, error) {
	return toOne(ctx, obj, eventOfCheckout, r.CatalogEvents.ByID)
}

func (r *checkoutResolver) Customer(ctx context.Context, obj *sale.Checkout) (*catalog.Customer, error) {
	return toOne(ctx, obj, customerOfCheckout, r.Customers.ByID)
}

func (r *checkoutDetailsFormResolver) IdentificationConfig(ctx context.Context, obj *identification.Form) ([][]identification.Requirement, error) {
	return requirementsOf(obj.IdentificationConfig), nil
}

func (r *mutationResolver) CreateCheckout(ctx context.Context, input sale.NewCheckout) (sale.Checkout, error) {
	return r.Checkouts.Create(ctx, input)
}

func (r *mutationResolver) SubmitCheckoutDetails(ctx context.Context, id string, secret *string, input sale.Details) (sale.Checkout, error) {
	return r.Checkouts.Submit(ctx, id, texts.Of(secret), input)
}

func (r *mutationResolver) AbortCheckout(ctx context.Context, id string, secret *string) (sale.Checkout, error) {
	return r.Checkouts.Abort(ctx, id, texts.Of(secret))
}

func (r *mutationResolver) CompleteCheckout(ctx context.Context, id string) (sale.Checkout, error) {
	return r.Checkouts.Complete(ctx, id)
}

func (r *queryResolver) Checkouts(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *sale.CheckoutFilter) (relay.Connection[sale.Checkout], error) {
	return connect(ctx, first, after, order, filter, r.Resolver.Checkouts.List, sale.CheckoutOf)
}

func (r *queryResolver) Checkout(ctx context.Context, id string) (*sale.Checkout, error) {
	return ptr(r.Resolver.Checkouts.Get(ctx, id))
}

func (r *queryResolver) CheckoutDetailsForm(ctx context.Context, id string, secret *string, locale *string) (*identification.Form, error) {
	return ptr(r.Resolver.Checkouts.Form(ctx, id, texts.Of(secret), texts.Of(locale)))
}

func (r *queryResolver) IdentificationRefusals(ctx context.Context) ([]identification.Refusals, error) {
	return r.Resolver.Checkouts.Refusals(ctx)
}

func (r *queryResolver) TrySiren(ctx context.Context, identifier string) (identification.Trial, error) {
	return r.Resolver.Checkouts.TrySIREN(ctx, identifier)
}

func (r *Resolver) Checkout() generated.CheckoutResolver { return &checkoutResolver{r} }

func (r *Resolver) CheckoutDetailsForm() generated.CheckoutDetailsFormResolver {
	return &checkoutDetailsFormResolver{r}
}

type (
	checkoutResolver            struct{ *Resolver }
	checkoutDetailsFormResolver struct{ *Resolver }
)
