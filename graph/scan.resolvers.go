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

func (r *mutationResolver) ScanTicket(ctx context.Context, input scan.Attempt) (scan.Answer, error) {
	return r.Scans.Scan(ctx, input)
}

func (r *mutationResolver) UploadScans(ctx context.Context, eventID string, deviceID *string, scans []scan.Uploaded) (scan.Upload, error) {
	return r.Scans.Upload(ctx, eventID, texts.Of(deviceID), scans)
}

func (r *mutationResolver) AnnulScan(ctx context.Context, id string) (scan.Scan, error) {
	return r.Scans.Annul(ctx, id)
}

func (r *queryResolver) Scans(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *scan.Filter) (relay.Connection[scan.Scan], error) {
	return connect(ctx, first, after, order, filter, r.Resolver.Scans.List, func(s scan.Scan) string { return s.ID })
}

func (r *queryResolver) Scan(ctx context.Context, id string) (*scan.Scan, error) {
	return ptr(r.Resolver.Scans.Get(ctx, id))
}

func (r *queryResolver) ScansPerMinute(ctx context.Context) ([]scan.Minute, error) {
	return r.Resolver.Scans.PerMinute(ctx)
}

func (r *queryResolver) AccessUserScanCounts(ctx context.Context, ids []string, since moment.DateTime) ([]scan.DeviceScans, error) {
	return r.Resolver.Scans.PerDevice(ctx, ids, since)
}

func (r *queryResolver) SimulateScan(ctx context.Context, input scan.Simulation) (scan.Simulated, error) {
	return r.Resolver.Scans.Simulate(ctx, input)
}

func (r *queryResolver) Occupancy(ctx context.Context, eventID string) (*scan.Occupancy, error) {
	return ptr(r.Resolver.Scans.Occupancy(ctx, eventID))
}

func (r *queryResolver) AccessUserFeed(ctx context.Context, after *int, limit *int) (scan.ChangePage, error) {
	return r.Feed.After(ctx, after, limit)
}

func (r *scanResolver) Ticket(ctx context.Context, obj *scan.Scan) (*ticket.Record, error) {
	return toOne(ctx, obj, ticketOfScan, r.Tickets.ByID)
}

func (r *scanResolver) Device(ctx context.Context, obj *scan.Scan) (*scan.Device, error) {
	return toOne(ctx, obj, deviceOfScan, r.Devices.ByID)
}

func (r *scanResolver) ScanGroup(ctx context.Context, obj *scan.Scan) (*scan.Group, error) {
	return toOne(ctx, obj, groupOfScan, r.ScanGroups.ByID)
}

func (r *scanResolver) Event(ctx context.Context, obj *scan.Scan) (*catalog.Event, error) {
	return toOne(ctx, obj, eventOfScan, r.CatalogEvents.ByID)
}

func (r *scanResolver) ScanZone(ctx context.Context, obj *scan.Scan) (*catalog.ScanZone, error) {
	return toOne(ctx, obj, zoneOfScan, r.ScanZones.ByID)
}

func (r *scanAnswerResolver) Ticket(ctx context.Context, obj *scan.Answer) (*ticket.Record, error) {
	return r.Scans.AnsweredTicket(ctx, *obj)
}

func (r *simulatedScanResolver) Ticket(ctx context.Context, obj *scan.Simulated) (*ticket.Record, error) {
	return r.Scans.SimulatedTicket(ctx, *obj)
}

func (r *subscriptionResolver) ScansChanged(ctx context.Context) (<-chan string, error) {
	return r.Scans.Watch(ctx)
}

func (r *Resolver) Scan() generated.ScanResolver { return &scanResolver{r} }

func (r *Resolver) ScanAnswer() generated.ScanAnswerResolver { return &scanAnswerResolver{r} }

func (r *Resolver) SimulatedScan() generated.SimulatedScanResolver { return &simulatedScanResolver{r} }

type (
	scanResolver          struct{ *Resolver }
	scanAnswerResolver    struct{ *Resolver }
	simulatedScanResolver struct{ *Resolver }
)
