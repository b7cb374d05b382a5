package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/scan"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *queryResolver) TicketLookup(ctx context.Context, externalCode string, eventID string) (access.GateTicket, error) {
	return r.Lookups.LookUp(ctx, externalCode, eventID)
}

func (r *queryResolver) TestAccessCode(ctx context.Context, code string, eventID string, listID *string) (access.Trial, error) {
	return r.Lookups.Test(ctx, code, eventID, listID)
}

func (r *queryResolver) UnknownCodes(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *access.UnknownCodeFilter) (relay.Connection[access.UnknownCode], error) {
	return connect(ctx, first, after, order, filter, r.Lookups.Unknown, func(c access.UnknownCode) string { return c.ID })
}

func (r *unknownCodeResolver) Device(ctx context.Context, obj *access.UnknownCode) (*scan.Device, error) {
	return toOne(ctx, obj, deviceOfUnknownCode, r.Devices.ByID)
}

func (r *unknownCodeResolver) Event(ctx context.Context, obj *access.UnknownCode) (*catalog.Event, error) {
	return toOne(ctx, obj, eventOfUnknownCode, r.CatalogEvents.ByID)
}

func (r *Resolver) UnknownCode() generated.UnknownCodeResolver { return &unknownCodeResolver{r} }

type unknownCodeResolver struct{ *Resolver }
