package db_test

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
)

// The server plans what loads attempts once for each connection, maybe when the day has only begun: even then it must not plan
// to read a day whole.
func TestAttemptsOfADayThatHasBegunAreLoadedByIndex(t *testing.T) {
	t.Parallel()
	store, err := db.Open(db.Config{URL: dbtest.New(t).ApplicationURL, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	scans := func(kind string) (count int) {
		t.Helper()
		const query = `SELECT coalesce(sum(` + "%s" + `), 0) FROM pg_stat_user_tables WHERE relname ~ '^(deliveries|events|webhooks|sellers)'`
		pool := store.AttemptsPool()
		if _, err := pool.ExecContext(t.Context(), "SELECT pg_stat_force_next_flush()"); err != nil {
			t.Fatal(err)
		}
		if err := pool.QueryRowContext(t.Context(), fmt.Sprintf(query, kind)).Scan(&count); err != nil {
			t.Fatal(err)
		}
		return count
	}
	whole, byIndex := scans("seq_scan"), scans("idx_scan")
	if _, err := store.Attempts().Load(t.Context(), []string{"019ad000-0000-7000-8000-000000000001", "019ad000-0000-7000-8000-000000000002"}); err != nil {
		t.Fatal(err)
	}
	whole, byIndex = scans("seq_scan")-whole, scans("idx_scan")-byIndex
	if whole != 0 || byIndex == 0 {
		t.Errorf("%d tables are read whole, and %d by an index", whole, byIndex)
	}
}
