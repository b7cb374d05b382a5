package db

import (
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

// countedScan leaves out what devices handed in for events that are not theirs (GATE-6).
const countedScan = "(NOT s.offline OR s.reason IS DISTINCT FROM 'EVENT_NOT_ASSIGNED')"

type minuteRow struct {
	At       time.Time
	Approved int
	Declined int
}

// ScansPerMinute counts the scans of each minute since a time, oldest first.
func (s scanStore) ScansPerMinute(
	ctx context.Context, seller ids.Seller, since moment.DateTime,
) ([]scan.Minute, error) {
	found, err := rows[minuteRow](ctx, s.Store, s.sql, `
		SELECT date_trunc('minute', s.time) AS at, count(*) FILTER (WHERE s.result = 'approved') AS approved,
			count(*) FILTER (WHERE s.result = 'declined') AS declined
		FROM scans s WHERE s.seller_id = $1 AND s.time >= $2 AND s.id >= $3 AND `+countedScan+` GROUP BY 1 ORDER BY 1`,
		string(seller), since.Time, writtenSince(since))
	if err != nil {
		return nil, err
	}
	return each(found, func(r minuteRow) (scan.Minute, error) {
		return scan.Minute{At: moment.New(r.At), Approved: r.Approved, Declined: r.Declined}, nil
	})
}

// ScansPerDevice counts the scans of each device since a time.
func (s scanStore) ScansPerDevice(
	ctx context.Context, seller ids.Seller, ids []string, since moment.DateTime,
) (map[string]int, error) {
	type count struct {
		DeviceID string
		Scans    int
	}
	found, err := rows[count](ctx, s.Store, s.sql, `SELECT s.device_id, count(*) AS scans FROM scans s
		WHERE s.seller_id = $1 AND s.device_id = ANY ($2) AND s.time >= $3 AND s.id >= $4 AND `+countedScan+` GROUP BY 1`,
		string(seller), ids, since.Time, writtenSince(since))
	counts := make(map[string]int, len(found))
	for _, one := range found {
		counts[one.DeviceID] = one.Scans
	}
	return counts, err
}

// writtenSince is the smallest id that a scan made since a time can have: none is written before it was made, and its id
// begins with the second in which it was written. It spares the days before.
func writtenSince(made moment.DateTime) string { return idBound(made.Time) }
