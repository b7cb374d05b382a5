package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *accessUserResolver) ScanGroup(ctx context.Context, obj *scan.Device) (*scan.Group, error) {
	return toOne(ctx, obj, groupOfDevice, r.ScanGroups.ByID)
}

func (r *accessUserResolver) AssignedEvents(ctx context.Context, obj *scan.Device, first *int, after *string, order domain.ListOrder, filter *catalog.EventFilter) (*relay.Connection[catalog.Event], error) {
	return toMany(ctx, obj, idOfDevice, nested[catalog.EventFilter]{first, after, order, filter},
		r.CatalogEvents.OfDevices, catalog.Event.Position)
}

func (r *accessUserResolver) Scans(ctx context.Context, obj *scan.Device, first *int, after *string, order domain.ListOrder, filter *scan.Filter) (*relay.Connection[scan.Scan], error) {
	return toMany(ctx, obj, idOfDevice, nested[scan.Filter]{first, after, order, filter},
		r.Resolver.Scans.OfDevices, positionOfScan)
}

func (r *accessUserResolver) ScanCount(ctx context.Context, obj *scan.Device, since moment.DateTime) (*int, error) {
	return toOne(ctx, obj, idOfDevice, with(r.Resolver.Scans.CountOfDevices, since))
}

func (r *mutationResolver) CreateAccessUser(ctx context.Context, input scan.NewDevice) (scan.Device, error) {
	return r.Devices.Create(ctx, input)
}

func (r *mutationResolver) UpdateAccessUser(ctx context.Context, id string, input scan.DeviceChange) (scan.Device, error) {
	return r.Devices.Update(ctx, id, input)
}

func (r *mutationResolver) DeleteAccessUser(ctx context.Context, id string, expectedUpdatedAt *moment.DateTime) (scan.Device, error) {
	return r.Devices.Delete(ctx, id, expectedUpdatedAt)
}

func (r *mutationResolver) RenewAccessUserToken(ctx context.Context, id string) (scan.Device, error) {
	return r.Devices.RenewToken(ctx, id)
}

func (r *mutationResolver) IssuePairingCode(ctx context.Context, id string) (scan.PairingCode, error) {
	return r.Devices.IssuePairingCode(ctx, id)
}

func (r *mutationResolver) PairAccessUser(ctx context.Context, input scan.Pairing) (scan.Device, error) {
	return r.Devices.Pair(ctx, input)
}

func (r *queryResolver) AccessUsers(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *scan.DeviceFilter) (relay.Connection[scan.Device], error) {
	return connect(ctx, first, after, order, filter, r.Devices.List, func(d scan.Device) string { return d.ID })
}

func (r *queryResolver) AccessUser(ctx context.Context, id string) (*scan.Device, error) {
	return ptr(r.Devices.Get(ctx, id))
}

func (r *queryResolver) ThisAccessUser(ctx context.Context) (scan.Self, error) {
	return r.AtGate.Self(ctx)
}

func (r *queryResolver) AccessUserEvents(ctx context.Context, includeRootEvents bool) ([]scan.EventName, error) {
	return r.AtGate.Events(ctx, includeRootEvents)
}

func (r *queryResolver) AccessUserSeller(ctx context.Context) (scan.SelfSeller, error) {
	return r.AtGate.Seller(ctx)
}

func (r *queryResolver) AccessUserTicket(ctx context.Context, barcode string, eventID *string) (ticket.Record, error) {
	return r.AtGate.Ticket(ctx, barcode, texts.Of(eventID))
}

func (r *queryResolver) AccessUserTickets(ctx context.Context, first *int, after *string, order domain.ListOrder, filter scan.TicketSpan) (relay.Connection[ticket.Record], error) {
	return connectAt(ctx, first, after, order, &filter, r.AtGate.EventTickets, ticket.Record.Cursor)
}

func (r *Resolver) AccessUser() generated.AccessUserResolver { return &accessUserResolver{r} }

type accessUserResolver struct{ *Resolver }
