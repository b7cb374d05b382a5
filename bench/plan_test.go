package main

import (
	"strings"
	"testing"
)

func TestPlannedCountsPagesAndRefusesASequentialScan(t *testing.T) {
	t.Parallel()
	r := newTestRig(t)
	for _, prepare := range []string{
		"CREATE TABLE numbers (n integer PRIMARY KEY, filler text)",
		"INSERT INTO numbers SELECT n, repeat('x', 100) FROM generate_series(1, 10000) n",
		"GRANT SELECT ON numbers TO PUBLIC",
		"VACUUM (ANALYZE) numbers",
	} {
		if err := r.cluster.execute(t.Context(), r.name, prepare); err != nil {
			t.Fatalf("%s: %v", prepare, err)
		}
	}
	// The root of the index, its leaf and the row's page.
	got, err := r.planned(t.Context(), statement{"SELECT filler FROM numbers WHERE n = $1", []string{"77"}})
	if want := "3 pages, no sequential scan"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	_, err = r.planned(t.Context(), statement{"SELECT n FROM numbers WHERE filler = $1", []string{"x"}})
	if err == nil || !strings.Contains(err.Error(), "in full") {
		t.Errorf("table without a suitable index: got %v", err)
	}
}

func TestPagesIncludeCachedOnes(t *testing.T) {
	t.Parallel()
	got, err := pagesIn([]byte(`[{"Plan": {"Node Type": "Limit", "Shared Hit Blocks": 9, "Shared Read Blocks": 3}}]`))
	if err != nil || got != 12 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := pagesIn([]byte(`[]`)); err == nil {
		t.Error("read pages from nothing")
	}
}
