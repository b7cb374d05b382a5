package jobs_test

import (
	"testing"

	"ticketgate/db/dbtest"
	"ticketgate/jobs"
)

func TestDepthsCountJobsByQueueAndState(t *testing.T) {
	t.Parallel()
	pool, err := jobs.NewPool(t.Context(), dbtest.New(t).ApplicationURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, queue, state, max_attempts, finalized_at)
		SELECT 'k', '{}'::jsonb, 'webhook_first', 'available'::river_job_state, 1, NULL::timestamptz FROM generate_series(1, 3)
		UNION ALL SELECT 'k', '{}'::jsonb, 'webhook_retry', 'scheduled', 1, NULL
		UNION ALL SELECT 'k', '{}'::jsonb, 'webhook_retry', 'completed', 1, now()
		UNION ALL SELECT 'k', '{}', 'another', 'available', 1, NULL`); err != nil {
		t.Fatal(err)
	}
	depths, err := jobs.Depths(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	counted := map[jobs.Depth]bool{}
	for _, depth := range depths {
		counted[depth] = true
	}
	for _, want := range []jobs.Depth{
		{"webhook_first", "available", 3},
		{"webhook_first", "running", 0},
		{"webhook_retry", "scheduled", 1},
		{"webhook_by_hand", "discarded", 0},
	} {
		if !counted[want] {
			t.Errorf("no %+v in %+v", want, depths)
		}
	}
	if len(depths) != 6*6 {
		t.Errorf("%d rows, want one for each of six queues and six states", len(depths))
	}
}
