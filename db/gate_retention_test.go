package db_test

import (
	"testing"
	"time"

	"ticketgate/db/dbtest"
)

// Feed changes are removed with deliveries; claims and verdicts a year later, with the days of the scan log
// (GATE-11).
func TestGateTablesArePruned(t *testing.T) {
	t.Parallel()
	i := dbtest.Empty(t, time.Now)
	store, pool := i.Store, i.Owner(t)
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for _, statement := range []string{
		`INSERT INTO device_feed (seller_id, type, object_id, at) SELECT 's' || n % 3, 'rules.changed', 'd',
			timestamptz '2026-11-29 12:00Z' - (40 - n) * interval '1 day' FROM generate_series(1, 40) n`,
		`INSERT INTO scan_claims (device_id, key, scan_id, conflict) SELECT 'd', 'id ' || n,
			lpad(to_hex(extract(epoch FROM timestamptz '2026-11-29 12:00Z' - n * interval '10 days')::int), 8, '0') || repeat('0', 16), false
			FROM generate_series(0, 59) n`,
		`INSERT INTO offline_verdicts (scan_id, seller_id, ticket_id, event_id, zone_id, at, direction, approved, multi, late, held,
			held_inside, reason) SELECT scan_id, 's0', 't', 'e', '', now(), 'IN', true, false, false, '', '', '' FROM scan_claims`,
	} {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	before := now.AddDate(0, 0, -30)
	for range 2 { // the second run finds nothing
		if err := store.PurgeChanges(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		if err := store.PurgeClaims(t.Context(), before); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM device_feed":                                        31,
		"SELECT count(*) FROM device_feed WHERE at < '2026-10-30 12:00Z'":         0,
		"SELECT count(*) FROM scan_claims":                                        40, // 395 days, with ten days in each
		"SELECT count(*) FROM offline_verdicts":                                   40,
		"SELECT count(*) FROM offline_verdicts JOIN scan_claims USING (scan_id)":  40,
		"SELECT count(DISTINCT seller_id) FROM device_feed_heads WHERE seq >= 13": 3,
	} {
		var got int
		if err := pool.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", query, got, err, want)
		}
	}
}
