package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/scan"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *mutationResolver) CreateScanGroup(ctx context.Context, input scan.NewGroup) (scan.Group, error) {
	return r.ScanGroups.Create(ctx, input)
}

func (r *mutationResolver) UpdateScanGroup(ctx context.Context, id string, input scan.GroupChange) (scan.Group, error) {
	return r.ScanGroups.Update(ctx, id, input)
}

func (r *mutationResolver) DeleteScanGroup(ctx context.Context, id string, expectedUpdatedAt *domain.DateTime) (scan.Group, error) {
	return r.ScanGroups.Delete(ctx, id, expectedUpdatedAt)
}

func (r *queryResolver) ScanGroups(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *scan.GroupFilter) (relay.Connection[scan.Group], error) {
	return connect(ctx, first, after, order, filter, r.Resolver.ScanGroups.List, func(g scan.Group) string { return g.ID })
}

func (r *queryResolver) ScanGroup(ctx context.Context, id string) (*scan.Group, error) {
	return one(r.Resolver.ScanGroups.Get(ctx, id))
}

func (r *createScanGroupInputResolver) DeviceSettings(ctx context.Context, obj *scan.NewGroup, data *scan.DeviceSettings) error {
	obj.DeviceSettings = domain.FromPointer(data)
	return nil
}

func (r *updateScanGroupInputResolver) ScanConfig(ctx context.Context, obj *scan.GroupChange, data *scan.Config) error {
	obj.ScanConfig = domain.FromPointer(data)
	return nil
}

func (r *updateScanGroupInputResolver) DeviceSettings(ctx context.Context, obj *scan.GroupChange, data *scan.DeviceSettings) error {
	obj.DeviceSettings = domain.FromPointer(data)
	return nil
}

func (r *Resolver) CreateScanGroupInput() generated.CreateScanGroupInputResolver {
	return &createScanGroupInputResolver{r}
}

func (r *Resolver) UpdateScanGroupInput() generated.UpdateScanGroupInputResolver {
	return &updateScanGroupInputResolver{r}
}

type (
	createScanGroupInputResolver struct{ *Resolver }
	updateScanGroupInputResolver struct{ *Resolver }
)
