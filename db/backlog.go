package db

import (
	"context"
	"time"

	"ticketgate/domain/webhook"
)

// Backlog counts the pending deliveries of all sellers.
func (s *Store) Backlog(ctx context.Context) (webhook.Backlog, error) {
	type backlogRow struct {
		Due      int
		Seconds  float64
		SetAside int
	}
	found, err := row[backlogRow](ctx, s, s.sql, "Backlog", `SELECT
		(SELECT count(*) FROM (SELECT FROM deliveries WHERE state = 'pending' AND next_attempt_at <= now() LIMIT $1) AS due) AS due,
		(SELECT coalesce(extract(epoch FROM greatest(now() - min(next_attempt_at), '0')), 0)::float8 FROM deliveries
			WHERE state = 'pending') AS seconds,
		(SELECT count(*) FROM (SELECT FROM set_aside LIMIT $1) AS aside) AS set_aside`, webhook.BacklogCounted)
	return webhook.Backlog{
		Due: found.Due, Oldest: time.Duration(found.Seconds * float64(time.Second)), SetAside: found.SetAside,
	}, err
}
