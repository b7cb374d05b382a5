package catalog

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// ScanZones implements the operations on a seller's scan zones. Their changes publish no events.
type ScanZones struct {
	resource[ScanZone, *ScanZone, NewScanZone, ScanZoneChange, ScanZoneFilter]
}

func scanZonesOn(on base) ScanZones {
	nothing := func(_, _ *ScanZone) error { return nil }
	return ScanZones{resource[ScanZone, *ScanZone, NewScanZone, ScanZoneChange, ScanZoneFilter]{
		base: on, object: "scanZone",
		create: domain.CreateScanZone, get: domain.GetScanZone, list: domain.ListScanZones, update: domain.UpdateScanZone,
		one: on.store.ScanZone, many: on.store.ScanZonesByID, page: on.store.ScanZones,
		insert: Tx.InsertScanZone, replace: Tx.UpdateScanZone,
		prepare: func(context.Context, Tx, *ScanZone) (follow[ScanZone], error) { return nothing, nil },
		lock: func(ctx context.Context, tx Tx, seller ids.Seller, id string, _ *ScanZoneChange) (ScanZone, follow[ScanZone], error) {
			found, err := tx.ScanZoneForUpdate(ctx, seller, id)
			return found, nothing, err
		},
	}}
}

// OfEvents returns a page of each event's scan zones, in one query (GRAPH-1). Requires scanZones:list, or a session
// with role VIEWER.
func (s ScanZones) OfEvents(
	ctx context.Context, events []string, filter ScanZoneFilter, page domain.Page,
) (map[string]domain.List[ScanZone], error) {
	return domain.ReadPages(ctx, domain.ListScanZones, s.store.ScanZonesOfEvents, events, filter, page)
}

func (z *ScanZone) common() common { return common{&z.ID, &z.SellerID, &z.CreatedAt, &z.UpdatedAt} }

func (n NewScanZone) names() (ids.Seller, *string) { return n.SellerID, n.ID }

func (NewScanZone) record(*domain.FieldErrors) ScanZone { return ScanZone{} }

func (c ScanZoneChange) expects() (ids.Seller, *moment.DateTime) {
	return c.SellerID, c.ExpectedUpdatedAt
}

// checkOthers adds an error if the event does not exist. The event that the zone already has is not checked again.
func (z *ScanZone) checkOthers(ctx context.Context, from placeReader, before *ScanZone, errs *domain.FieldErrors) error {
	if before != nil && texts.Of(before.EventID) == texts.Of(z.EventID) {
		return nil
	}
	return checkEvent(ctx, from, z.SellerID, z.EventID, errs)
}
