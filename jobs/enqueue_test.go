package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/domain/webhook"
	"ticketgate/jobs"
	"ticketgate/jobs/jobstest"
)

// What River's own client writes for the same wake-ups is the same, whatever version of its tables it is made for.
func TestJobsAreThoseThatRiverWouldInsert(t *testing.T) {
	p := newPlatform(t, "1h")
	later := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	wakeUps := []webhook.WakeUp{
		{DeliveryID: "d1", WebhookID: "w", Lane: webhook.FirstLane},
		{DeliveryID: "d2", WebhookID: "w", Lane: webhook.FirstLane},
		{DeliveryID: "d3", WebhookID: "w", Lane: webhook.RetryLane, At: later},
		{DeliveryID: "d4", WebhookID: "w", Lane: webhook.ByHandLane},
		{DeliveryID: "i1", HandOver: true},
	}
	p.must(p.workers.InsertByRiver(t.Context(), wakeUps))
	tx, err := p.sql.BeginTx(t.Context(), nil)
	p.must(err)
	p.must(jobs.NewQueue().Enqueue(t.Context(), tx, wakeUps))
	p.must(tx.Commit())

	// Each row twice: but for its number and the moments of its insertion.
	const apart = `SELECT to_jsonb(j) - '{id,created_at}'::text[] - CASE WHEN state = 'available' THEN 'scheduled_at' ELSE '' END`
	if different := p.count("SELECT count(*) FROM (" + apart + " FROM (SELECT * FROM " + jobstest.Jobs + ") j GROUP BY 1 HAVING count(*) <> 2) x"); different != 0 {
		t.Errorf("%d rows are not as River makes them", different)
	}
	if all := p.count(jobstest.Count("true")); all != 2*4 {
		t.Errorf("%d jobs", all)
	}
	due := fmt.Sprintf(jobstest.Count("state = 'scheduled' AND scheduled_at = '%s'"), later.UTC().Format(time.RFC3339Nano))
	if scheduled := p.count(due); scheduled != 2 {
		t.Errorf("%d jobs are for later", scheduled)
	}
}
