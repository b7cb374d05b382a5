package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/jobs"
)

// A statement without a response ends even if its caller set no deadline, as when River fetches jobs.
func TestAStatementWithoutAResponseTimesOut(t *testing.T) {
	pool, err := jobs.NewBoundedPool(t.Context(), dbtest.New(t).ApplicationURL, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(t.Context(), "SELECT pg_sleep(60)"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	var item int
	if err := pool.QueryRow(t.Context(), "SELECT pg_sleep(60), 1").Scan(nil, &item); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	<-time.After(60 * time.Millisecond) // longer than one statement may take; the transaction itself is not bounded
	if err := tx.QueryRow(t.Context(), "SELECT 1").Scan(&item); err != nil || item != 1 {
		t.Errorf("after two statements that timed out: %d, %v", item, err)
	}
}
