package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

type unknownCodeRow struct {
	bun.BaseModel `bun:"table:unknown_codes,alias:u"`

	ID           string     `bun:"id"`
	SellerID     ids.Seller `bun:"seller_id"`
	DeviceID     string     `bun:"device_id"`
	EventID      string     `bun:"event_id"`
	ExternalCode string     `bun:"external_code"`
	Times        int        `bun:"times"`
	FirstAt      time.Time  `bun:"first_at"`
	LastAt       time.Time  `bun:"last_at"`
}

var unknownCodes = &source[unknownCodeRow]{}

// NoteUnknownCode counts a scan of a code that no list has. Repeated scans of a card increase the count of one row.
func (s lookupStore) NoteUnknownCode(ctx context.Context, seen access.UnknownCode) error {
	return s.transact(ctx, func(tx *Tx) error {
		_, err := insertOn(ctx, tx.store, tx, `CONFLICT (seller_id, external_code, event_id, device_id)
			DO UPDATE SET times = u.times + 1, last_at = greatest(u.last_at, excluded.last_at)`, &unknownCodeRow{
			ID: seen.ID, SellerID: seen.SellerID, DeviceID: seen.DeviceID, EventID: seen.EventID, ExternalCode: seen.ExternalCode,
			Times: 1, FirstAt: seen.FirstAt.Time, LastAt: seen.FirstAt.Time,
		})
		return err
	})
}

// UnknownCodes lists a seller's unknown codes in the order in which they were first seen.
func (s lookupStore) UnknownCodes(
	ctx context.Context, seller ids.Seller, f access.UnknownCodeFilter, page domain.Page,
) (domain.List[access.UnknownCode], error) {
	q := unknownCodes.of(seller).filteredBy([]filter{equals("u.external_code", f.ExternalCode)},
		equals("u.device_id", f.DeviceID), equals("u.event_id", f.EventID))
	return listing[unknownCodeRow, access.UnknownCode]{query: q, id: "u.id", item: unknownCodeRow.toDomain}.page(ctx, s.Store, page)
}

func (r unknownCodeRow) toDomain() (access.UnknownCode, error) {
	return access.UnknownCode{
		ID: r.ID, SellerID: r.SellerID, DeviceID: r.DeviceID, EventID: r.EventID, ExternalCode: r.ExternalCode,
		Times: r.Times, FirstAt: moment.New(r.FirstAt), LastAt: moment.New(r.LastAt),
	}, nil
}

// PurgeUnknownCodes deletes codes that were last seen before the given time.
func (s *Store) PurgeUnknownCodes(ctx context.Context, before time.Time) error {
	_, err := unknownCodes.where("u.last_at < $", before).delete(ctx, s, s.sql)
	return err
}
