package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/domain/webhook"
	"ticketgate/jobs"
	"ticketgate/jobs/jobstest"
)

// Jobs equal those that River's client inserts for the same jobs, in the version of its tables that it was built
// for.
func TestJobsEqualThoseOfRiver(t *testing.T) {
	p := newPlatform(t, "1h")
	later := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	queued := []webhook.Job{
		{DeliveryID: "d1", WebhookID: "w", Queue: webhook.FirstQueue},
		{DeliveryID: "d2", WebhookID: "w", Queue: webhook.FirstQueue},
		{DeliveryID: "d3", WebhookID: "w", Queue: webhook.RetryQueue, At: later},
		{DeliveryID: "d4", WebhookID: "w", Queue: webhook.ManualQueue},
		{DeliveryID: "i1", HandOver: true},
	}
	p.must(p.workers.InsertByRiver(t.Context(), queued))
	text, args, err := jobs.NewEnqueuer().Enqueue(queued)
	p.must(err)
	_, err = p.sql.ExecContext(t.Context(), text, args...)
	p.must(err)

	// Each row must exist twice, apart from its id and insertion time.
	const apart = `SELECT to_jsonb(j) - '{id,created_at}'::text[] - CASE WHEN state = 'available' THEN 'scheduled_at' ELSE '' END`
	if different := p.count("SELECT count(*) FROM (" + apart + " FROM (SELECT * FROM " + jobstest.Jobs + ") j GROUP BY 1 HAVING count(*) <> 2) x"); different != 0 {
		t.Errorf("%d rows differ from River's", different)
	}
	if all := p.count(jobstest.Count("true")); all != 2*4 {
		t.Errorf("%d jobs", all)
	}
	due := fmt.Sprintf(jobstest.Count("state = 'scheduled' AND scheduled_at = '%s'"), later.UTC().Format(time.RFC3339Nano))
	if scheduled := p.count(due); scheduled != 2 {
		t.Errorf("%d jobs are scheduled for later", scheduled)
	}
}
