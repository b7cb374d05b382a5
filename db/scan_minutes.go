package db

import (
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

// countedScan is a condition that excludes offline scans of events that the device has no access to (GATE-6).
const countedScan = "(NOT s.offline OR s.reason IS DISTINCT FROM 'EVENT_NOT_ASSIGNED')"

type minuteRow struct {
	At       time.Time `bun:"at"`
	Approved int       `bun:"approved"`
	Declined int       `bun:"declined"`
}

// deviceScansRow is a device's number of scans.
type deviceScansRow struct {
	DeviceID string `bun:"device_id"`
	Scans    int    `bun:"scans"`
}

var (
	scansByMinute = &source[minuteRow]{
		columns: `date_trunc('minute', s.time) AS at, count(*) FILTER (WHERE s.result = 'approved') AS approved,
			count(*) FILTER (WHERE s.result = 'declined') AS declined`,
		table: "scans AS s", group: "1",
	}
	scansByDevice = &source[deviceScansRow]{columns: "s.device_id, count(*) AS scans", table: "scans AS s", group: "1"}
)

// ScansPerMinute counts the scans of each minute since the given time, oldest first.
func (s scanStore) ScansPerMinute(
	ctx context.Context, seller ids.Seller, since moment.DateTime,
) ([]scan.Minute, error) {
	found, err := scansByMinute.where("s.seller_id = $", string(seller)).
		where("s.time >= $ AND s.id >= $ AND "+countedScan, since.Time, writtenSince(since)).orderBy("1").rows(ctx, s.Store, s.sql)
	if err != nil {
		return nil, err
	}
	return each(found, func(r minuteRow) (scan.Minute, error) {
		return scan.Minute{At: moment.New(r.At), Approved: r.Approved, Declined: r.Declined}, nil
	})
}

// ScansPerDevice counts the scans of each device since the given time.
func (s scanStore) ScansPerDevice(
	ctx context.Context, seller ids.Seller, ids []string, since moment.DateTime,
) (map[string]int, error) {
	found, err := scansByDevice.where("s.seller_id = $ AND s.device_id = ANY($)", string(seller), ids).
		where("s.time >= $ AND s.id >= $ AND "+countedScan, since.Time, writtenSince(since)).rows(ctx, s.Store, s.sql)
	counts := make(map[string]int, len(found))
	for _, item := range found {
		counts[item.DeviceID] = item.Scans
	}
	return counts, err
}

// writtenSince returns the smallest possible id of scans made since a time, so that partitions of earlier days are not
// read. A scan is written after it was made, and its id starts with the second of writing.
func writtenSince(created moment.DateTime) string { return idBound(created.Time) }
