package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

type scanZoneRow struct {
	bun.BaseModel `bun:"table:scan_zones,alias:z"`

	SellerID   ids.Seller `bun:"seller_id,pk"`
	ID         string     `bun:"id,pk"`
	Name       string     `bun:"name"`
	NameFolded string     `bun:"name_folded"`
	EventID    *string    `bun:"event_id"`
	Meta       *string    `bun:"meta"`
	CreatedAt  time.Time  `bun:"created_at"`
	UpdatedAt  time.Time  `bun:"updated_at"`
}

const scanZoneName = "Scan zone"

var scanZones = &source[scanZoneRow]{}

func scanZoneRowOf(z catalog.ScanZone) *scanZoneRow {
	return &scanZoneRow{
		SellerID: z.SellerID, ID: z.ID, Name: z.Name, NameFolded: texts.Fold(z.Name), EventID: z.EventID,
		Meta: metaColumn(z.Meta), CreatedAt: z.CreatedAt.Time, UpdatedAt: z.UpdatedAt.Time,
	}
}

func (r scanZoneRow) zone() (catalog.ScanZone, error) {
	meta, err := metaOf(r.Meta)
	return catalog.ScanZone{
		ID: r.ID, SellerID: r.SellerID, Name: r.Name, EventID: r.EventID, Meta: meta,
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}, err
}

// ScanZonesByID returns a seller's scan zones by id.
func (r catalogReader) ScanZonesByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]catalog.ScanZone, error) {
	return recordsByID(ctx, r, scanZones, scanZoneRow.zone, func(z catalog.ScanZone) string { return z.ID }, seller, ids)
}

// ScanZone reads one scan zone of a seller.
func (s catalogStore) ScanZone(ctx context.Context, seller ids.Seller, id string) (catalog.ScanZone, error) {
	return recordByID(ctx, s.catalogReader, scanZones, scanZoneName, scanZoneRow.zone, seller, id, "")
}

// ScanZones lists a seller's scan zones that match the filter.
func (s catalogStore) ScanZones(
	ctx context.Context, seller ids.Seller, filter catalog.ScanZoneFilter, page domain.Page,
) (domain.List[catalog.ScanZone], error) {
	return scanZonesWhere(seller, filter, equals("z.event_id", filter.EventID)).page(ctx, s.Store, page)
}

// ScanZonesOfEvents reads one page of scan zones for each event.
func (s catalogStore) ScanZonesOfEvents(
	ctx context.Context, seller ids.Seller, events []string, filter catalog.ScanZoneFilter, page domain.Page,
) (map[string]domain.List[catalog.ScanZone], error) {
	return scanZonesWhere(seller, filter).within(ctx, s.Store, "z.event_id = parent.id", events, page)
}

func scanZonesWhere(
	seller ids.Seller, f catalog.ScanZoneFilter, leading ...filter,
) listing[scanZoneRow, catalog.ScanZone] {
	q := scanZones.of(seller).filteredBy(leading, others(leading, equals("z.event_id", f.EventID), holding("z.name_folded", f.Name))...)
	return listing[scanZoneRow, catalog.ScanZone]{
		query: q, id: "z.id", created: "z.created_at", item: scanZoneRow.zone,
	}
}

// InsertScanZone stores a new scan zone.
func (t catalogTx) InsertScanZone(ctx context.Context, scanZone catalog.ScanZone) error {
	return t.insert(ctx, scanZoneRowOf(scanZone))
}

// ScanZoneForUpdate reads a scan zone and locks its row.
func (t catalogTx) ScanZoneForUpdate(ctx context.Context, seller ids.Seller, id string) (catalog.ScanZone, error) {
	return recordByID(ctx, t.catalogReader, scanZones, scanZoneName, scanZoneRow.zone, seller, id, "UPDATE")
}

// UpdateScanZone writes all columns of an existing scan zone.
func (t catalogTx) UpdateScanZone(ctx context.Context, changed catalog.ScanZone) error {
	return t.update(ctx, scanZoneName, scanZoneRowOf(changed))
}
