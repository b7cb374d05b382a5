package main

import (
	"testing"
	"time"
)

func TestCostIsPerOperation(t *testing.T) {
	t.Parallel()
	spent := cost{server: 106 * time.Millisecond, database: 35 * time.Millisecond, syncs: 250}
	want := "1000 × 106 + 35 µs of processor time, the server's and PostgreSQL's, and 0.25 fsyncs"
	if got := spent.each(1000); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	spent.server = 0
	if got, want := spent.each(500), "500 × 70 µs of PostgreSQL's processor time and 0.50 fsyncs"; got != want {
		t.Errorf("without a server: got %q, want %q", got, want)
	}
}

func TestBenchmarkServerCountsFlushes(t *testing.T) {
	t.Parallel()
	c, err := openCluster(t.Context(), temporaryFolder(t))
	need(t, err)
	defer c.close()
	before, err := c.walSyncs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// A connection reports at its end at the latest.
	if err := c.execute(t.Context(), "postgres", "CREATE TABLE written (n integer)"); err != nil {
		t.Fatal(err)
	}
	after, err := c.walSyncs(t.Context())
	for deadline := time.Now().Add(time.Minute); err == nil && after == before && time.Now().Before(deadline); {
		after, err = c.walSyncs(t.Context())
	}
	if err != nil || after <= before {
		t.Errorf("%d flushes before a table was created, %d afterwards, %v", before, after, err)
	}
	if want := " with fsync on"; c.version[len(c.version)-len(want):] != want {
		t.Errorf("the report would say %q", c.version)
	}
}
