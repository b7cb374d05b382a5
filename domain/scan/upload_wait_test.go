package scan_test

import (
	"testing"
	"time"

	"ticketgate/domain/scan"
)

// An upload waits longer for a lock than an ordinary statement: when the network returns, all devices upload scans of
// the same tickets at once.
func TestUploadWaitsForAnother(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.scan(device, "B-1", scan.In)
	holder, err := w.SQL.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback() }()
	if _, err := holder.ExecContext(t.Context(), "SELECT FROM scan_places FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	ctx := w.from(device)
	go func() {
		_, err := w.scans.Upload(ctx, "E1", "", []scan.Uploaded{made("a", "B-1", w.now, scan.Out)})
		answered <- err
	}()
	const waiting = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
		AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '2200 milliseconds'`
	for w.Count(waiting) == 0 {
		select {
		case err := <-answered:
			t.Fatalf("the upload gave up: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	if err := holder.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
}
