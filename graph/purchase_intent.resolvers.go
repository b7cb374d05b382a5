package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ecmajson"
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
	return one(r.Resolver.PurchaseIntents.Get(ctx, id))
}

func (r *updatePurchaseIntentInputResolver) Items(ctx context.Context, obj *sale.PurchaseIntentChange, data []sale.WantedItem) error {
	obj.Items = domain.Null[[]sale.WantedItem]()
	if data != nil {
		obj.Items = domain.Some(data)
	}
	return nil
}

func (r *updatePurchaseIntentInputResolver) CustomerID(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.CustomerID = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Company(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Company = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Name(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Name = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Prename(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Prename = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Lastname(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Lastname = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Email(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Email = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Street(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Street = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Line2(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Line2 = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) City(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.City = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) State(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.State = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Country(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Country = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Postal(ctx context.Context, obj *sale.PurchaseIntentChange, data *string) error {
	obj.Postal = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) Identification(ctx context.Context, obj *sale.PurchaseIntentChange, data *ecmajson.Value) error {
	obj.Identification = domain.FromPointer(data)
	return nil
}

func (r *updatePurchaseIntentInputResolver) ExpiresAt(ctx context.Context, obj *sale.PurchaseIntentChange, data *domain.DateTime) error {
	obj.ExpiresAt = domain.FromPointer(data)
	return nil
}

func (r *Resolver) PurchaseIntent() generated.PurchaseIntentResolver {
	return &purchaseIntentResolver{r}
}

func (r *Resolver) UpdatePurchaseIntentInput() generated.UpdatePurchaseIntentInputResolver {
	return &updatePurchaseIntentInputResolver{r}
}

type (
	purchaseIntentResolver            struct{ *Resolver }
	updatePurchaseIntentInputResolver struct{ *Resolver }
)
