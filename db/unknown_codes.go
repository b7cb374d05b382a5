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

// NoteUnknownCode counts a code that no list knew: a card that is held to a device again and again stays one row.
func (s lookupStore) NoteUnknownCode(ctx context.Context, seen access.UnknownCode) error {
	return s.transact(ctx, func(tx *Tx) error {
		_, err := exec(ctx, tx, `INSERT INTO unknown_codes AS u
				(id, seller_id, device_id, event_id, external_code, times, first_at, last_at)
			VALUES ($1, $2, $3, $4, $5, 1, $6, $6)
			ON CONFLICT (seller_id, external_code, event_id, device_id)
			DO UPDATE SET times = u.times + 1, last_at = greatest(u.last_at, excluded.last_at)`,
			seen.ID, string(seen.SellerID), seen.DeviceID, seen.EventID, seen.ExternalCode, seen.FirstAt.Time)
		return err
	})
}

// UnknownCodes lists a seller's unknown codes, those seen first first.
func (s lookupStore) UnknownCodes(
	ctx context.Context, seller ids.Seller, filter access.UnknownCodeFilter, page domain.Page,
) (domain.List[access.UnknownCode], error) {
	q := unknownCodes.of(seller).
		whereIf(filter.DeviceID != "", "u.device_id = $", filter.DeviceID).
		whereIf(filter.EventID != "", "u.event_id = $", filter.EventID).
		whereIf(filter.ExternalCode != "", "u.external_code = $", filter.ExternalCode)
	return listing[unknownCodeRow, access.UnknownCode]{query: q, id: "u.id", item: unknownCodeRow.toDomain}.page(ctx, s.Store, page)
}

func (r unknownCodeRow) toDomain() (access.UnknownCode, error) {
	return access.UnknownCode{
		ID: r.ID, SellerID: r.SellerID, DeviceID: r.DeviceID, EventID: r.EventID, ExternalCode: r.ExternalCode,
		Times: r.Times, FirstAt: moment.New(r.FirstAt), LastAt: moment.New(r.LastAt),
	}, nil
}

// ForgetUnknownCodes removes the codes that were last seen before a time.
func (s *Store) ForgetUnknownCodes(ctx context.Context, before time.Time) error {
	_, err := exec(ctx, s.sql, "DELETE FROM unknown_codes WHERE last_at < $1", before)
	return err
}
