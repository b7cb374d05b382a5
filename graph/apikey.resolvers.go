package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *apiKeyResolver) Creator(ctx context.Context, obj *apikey.Key) (relay.Actor, error) {
	return toAny[apikey.Key, relay.Actor](ctx, obj, creatorOfKey, fromKeys, r.actors())
}

func (r *apiKeyResolver) Usage(ctx context.Context, obj *apikey.Key, permission *domain.Permission) (*apikey.Usage, error) {
	return toOne(ctx, obj, idOfKey, with(r.Resolver.Keys.UsageOf, valueOf(permission)))
}

func (r *mutationResolver) CreateAPIKey(ctx context.Context, input apikey.NewKey) (apikey.Key, error) {
	return r.Resolver.Keys.Create(ctx, input)
}

func (r *mutationResolver) UpdateAPIKey(ctx context.Context, id string, input apikey.Change) (apikey.Key, error) {
	return r.Resolver.Keys.Update(ctx, id, input)
}

func (r *mutationResolver) RotateAPIKey(ctx context.Context, input apikey.Rotation) (apikey.Key, error) {
	return r.Resolver.Keys.Rotate(ctx, input)
}

func (r *mutationResolver) DefaultAPIKey(ctx context.Context, input apikey.DefaultOf) (apikey.Key, error) {
	return r.Resolver.Keys.Default(ctx, input)
}

func (r *queryResolver) APIKeys(ctx context.Context, orgID *string) ([]apikey.Key, error) {
	keys, err := r.Resolver.Keys.List(ctx, (*ids.Org)(orgID))
	return notedAll(ctx, keys, err)
}

func (r *queryResolver) Keys(ctx context.Context, first *int, after *string, order domain.ListOrder, orgID *string, filter *apikey.Filter) (relay.Connection[apikey.Key], error) {
	keys := func(ctx context.Context, filter apikey.Filter, page domain.Page) (domain.List[apikey.Key], error) {
		return r.Resolver.Keys.Find(ctx, (*ids.Org)(orgID), filter, page)
	}
	return connectAt(ctx, first, after, order, filter, keys, apikey.Key.Cursor)
}

func (r *queryResolver) APIKey(ctx context.Context, id string) (*apikey.Key, error) {
	return ptr(r.Resolver.Keys.Get(ctx, id))
}

func (r *queryResolver) APIKeyUsage(ctx context.Context, id string) (*apikey.Usage, error) {
	return ptr(r.Resolver.Keys.Usage(ctx, id))
}

func (r *queryResolver) APIKeyInfo(ctx context.Context) (apikey.Key, error) {
	return r.Resolver.Keys.Info(ctx)
}

func (r *queryResolver) Permissions(ctx context.Context) ([]domain.Permission, error) {
	return r.Resolver.Keys.Permissions(ctx)
}

func (r *Resolver) ApiKey() generated.ApiKeyResolver { return &apiKeyResolver{r} }

type apiKeyResolver struct{ *Resolver }
