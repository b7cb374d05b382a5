package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
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

func (r *mutationResolver) DeleteScanGroup(ctx context.Context, id string, expectedUpdatedAt *moment.DateTime) (scan.Group, error) {
	return r.ScanGroups.Delete(ctx, id, expectedUpdatedAt)
}

func (r *queryResolver) ScanGroups(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *scan.GroupFilter) (relay.Connection[scan.Group], error) {
	return connect(ctx, first, after, order, filter, r.Resolver.ScanGroups.List, func(g scan.Group) string { return g.ID })
}

func (r *queryResolver) ScanGroup(ctx context.Context, id string) (*scan.Group, error) {
	return ptr(r.Resolver.ScanGroups.Get(ctx, id))
}

func (r *scanGroupResolver) Events(ctx context.Context, obj *scan.Group, first *int, after *string, order domain.ListOrder, filter *catalog.EventFilter) (*relay.Connection[catalog.Event], error) {
	return toMany(ctx, obj, idOfScanGroup, nested[catalog.EventFilter]{first, after, order, filter},
		r.CatalogEvents.OfScanGroups, catalog.Event.Position)
}

func (r *scanGroupResolver) TicketTypes(ctx context.Context, obj *scan.Group, first *int, after *string, order domain.ListOrder, filter *catalog.TicketTypeFilter) (*relay.Connection[catalog.TicketType], error) {
	return toMany(ctx, obj, idOfScanGroup, nested[catalog.TicketTypeFilter]{first, after, order, filter},
		r.Resolver.TicketTypes.OfScanGroups, catalog.TicketType.Position)
}

func (r *scanGroupResolver) Devices(ctx context.Context, obj *scan.Group, first *int, after *string, order domain.ListOrder, filter *scan.DeviceFilter) (*relay.Connection[scan.Device], error) {
	return toMany(ctx, obj, idOfScanGroup, nested[scan.DeviceFilter]{first, after, order, filter},
		r.Resolver.Devices.OfGroups, positionOfDevice)
}

func (r *scanGroupResolver) Scans(ctx context.Context, obj *scan.Group, first *int, after *string, order domain.ListOrder, filter *scan.Filter) (*relay.Connection[scan.Scan], error) {
	return toMany(ctx, obj, idOfScanGroup, nested[scan.Filter]{first, after, order, filter},
		r.Resolver.Scans.OfGroups, positionOfScan)
}

func (r *Resolver) ScanGroup() generated.ScanGroupResolver { return &scanGroupResolver{r} }

type scanGroupResolver struct{ *Resolver }
