package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *mutationResolver) CreatePurchaseIntent(ctx context.Context, input sale.NewPurchaseIntent) (sale.PurchaseIntent, error) {
	return r.PurchaseIntents.Create(ctx, input)
}

func (r *mutationResolver) UpdatePurchaseIntent(ctx context.Context, id string, input sale.PurchaseIntentChange) (sale.PurchaseIntent, error) {
	return r.PurchaseIntents.Update(ctx, id, input)
}

func (r *mutationResolver) ApprovePurchaseIntent(ctx context.Context, id string) (sale.PurchaseIntent, error) {
	return r.PurchaseIntents.Approve(ctx, id)
}

func (r *mutationResolver) RejectPurchaseIntent(ctx context.Context, id string) (sale.PurchaseIntent, error) {
	return r.PurchaseIntents.Reject(ctx, id)
}

func (r *mutationResolver) ExpirePurchaseIntent(ctx context.Context, id string) (sale.PurchaseIntent, error) {
	return r.PurchaseIntents.Expire(ctx, id)
}

func (r *mutationResolver) CancelPurchaseIntent(ctx context.Context, id string) (sale.PurchaseIntent, error) {
	return r.PurchaseIntents.Cancel(ctx, id)
}

func (r *mutationResolver) CompletePurchaseIntent(ctx context.Context, id string) (sale.PurchaseIntent, error) {
	return r.PurchaseIntents.Complete(ctx, id)
}

func (r *purchaseIntentResolver) Event(ctx context.Context, obj *sale.PurchaseIntent) (*catalog.Event, error) {
	return toOne(ctx, obj, eventOfPurchaseIntent, r.CatalogEvents.ByID)
}

func (r *purchaseIntentResolver) Customer(ctx context.Context, obj *sale.PurchaseIntent) (*catalog.Customer, error) {
	return toOne(ctx, obj, customerOfPurchaseIntent, r.Customers.ByID)
}

func (r *queryResolver) PurchaseIntents(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *sale.PurchaseIntentFilter) (relay.Connection[sale.PurchaseIntent], error) {
	return connect(ctx, first, after, order, filter, r.Resolver.PurchaseIntents.List, sale.PurchaseIntentOf)
}

func (r *queryResolver) PurchaseIntent(ctx context.Context, id string) (*sale.PurchaseIntent, error) {
	return ptr(r.Resolver.PurchaseIntents.Get(ctx, id))
}

func (r *Resolver) PurchaseIntent() generated.PurchaseIntentResolver {
	return &purchaseIntentResolver{r}
}

type purchaseIntentResolver struct{ *Resolver }
