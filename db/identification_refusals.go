package db

import (
	"context"
	"time"

	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// CountRefusal adds one to the seller's refusals of a day for a reason. A store that only reads counts nothing: the input
// has faults that show before the rule is asked.
func (s *Store) CountRefusal(ctx context.Context, seller ids.Seller, reason identification.Reason, at time.Time) error {
	if s.readOnly {
		return nil
	}
	_, err := exec(ctx, s.sql, `INSERT INTO identification_refusals AS r (seller_id, day, reason, refusals, last_at)
		VALUES ($1, $2, $3, 1, $4)
		ON CONFLICT (seller_id, day, reason)
		DO UPDATE SET refusals = r.refusals + 1, last_at = greatest(r.last_at, excluded.last_at)`,
		string(seller), midnight(at), string(reason), at)
	return err
}

type refusalsRow struct {
	Reason   identification.Reason
	Refusals int
	LastAt   time.Time
}

// Refusals sums up a seller's refusals since a day, the most frequent first.
func (s *Store) Refusals(ctx context.Context, seller ids.Seller, since time.Time) ([]identification.Refusals, error) {
	found, err := rows[refusalsRow](ctx, s, s.sql, `SELECT reason, sum(refusals)::bigint AS refusals, max(last_at) AS last_at
		FROM identification_refusals WHERE seller_id = $1 AND day >= $2 GROUP BY reason ORDER BY 2 DESC, reason`,
		string(seller), midnight(since))
	if err != nil {
		return nil, err
	}
	return each(found, func(r refusalsRow) (identification.Refusals, error) {
		return identification.Refusals{Reason: r.Reason, Count: r.Refusals, LastAt: moment.New(r.LastAt)}, nil
	})
}

// ForgetRefusals removes the counts of days before a time.
func (s *Store) ForgetRefusals(ctx context.Context, before time.Time) error {
	_, err := exec(ctx, s.sql, "DELETE FROM identification_refusals WHERE day < $1", midnight(before))
	return err
}
