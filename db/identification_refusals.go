package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// CountRefusal increments the seller's daily count of refusals for a reason. A read-only store does not count, since it
// only validates bodies that have other errors.
func (s *Store) CountRefusal(ctx context.Context, seller ids.Seller, reason identification.Reason, at time.Time) error {
	if s.readOnly {
		return nil
	}
	_, err := insertOn(ctx, s, s.sql, `CONFLICT (seller_id, day, reason)
		DO UPDATE SET refusals = r.refusals + 1, last_at = greatest(r.last_at, excluded.last_at)`,
		&refusalsRow{SellerID: seller, Day: midnight(at), Reason: reason, Refusals: 1, LastAt: at})
	return err
}

// refusalsRow is a row of identification_refusals: how many buyers were refused for a reason on a day.
type refusalsRow struct {
	bun.BaseModel `bun:"table:identification_refusals,alias:r"`

	SellerID ids.Seller            `bun:"seller_id,pk"`
	Day      time.Time             `bun:"day,pk"`
	Reason   identification.Reason `bun:"reason,pk"`
	Refusals int                   `bun:"refusals"`
	LastAt   time.Time             `bun:"last_at"`
}

var (
	refusals        = &source[refusalsRow]{}
	refusalsByCause = &source[refusalsRow]{
		columns: "r.reason, sum(r.refusals)::bigint AS refusals, max(r.last_at) AS last_at", group: "r.reason",
	}
)

// Refusals returns a seller's refusals since a day, the most frequent first.
func (s *Store) Refusals(ctx context.Context, seller ids.Seller, since time.Time) ([]identification.Refusals, error) {
	found, err := refusalsByCause.of(seller).where("r.day >= $", midnight(since)).orderBy("2 DESC, r.reason").rows(ctx, s, s.sql)
	if err != nil {
		return nil, err
	}
	return each(found, func(r refusalsRow) (identification.Refusals, error) {
		return identification.Refusals{Reason: r.Reason, Count: r.Refusals, LastAt: moment.New(r.LastAt)}, nil
	})
}

// PurgeRefusals deletes the counts of days before the given time.
func (s *Store) PurgeRefusals(ctx context.Context, before time.Time) error {
	_, err := refusals.where("r.day < $", midnight(before)).delete(ctx, s, s.sql)
	return err
}
