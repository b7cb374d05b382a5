package jobs_test

import (
	"context"
	"errors"
	"testing"

	"ticketgate/domain/webhook"
	"ticketgate/jobs"
	"ticketgate/jobs/jobstest"
)

// A process that rescues a job makes only the attempts that the job still holds, not those set aside or brought back
// in another job.
func TestDeliveryIsEitherInJobOrOverflow(t *testing.T) {
	const events = 20
	p := newPatient(t, jobs.DefaultConcurrency)
	url, _, letGo := hanging(t)
	p.hook(url, "")
	p.publishMany(events)
	p.start()
	p.until("all but four set aside", "SELECT count(*) = 16 FROM set_aside")
	const open = `(SELECT delivery_id::text AS id FROM set_aside
		UNION ALL SELECT args ->> 'delivery_id' FROM ` + jobstest.Jobs + ` WHERE finalized_at IS NULL
		UNION ALL SELECT jsonb_array_elements_text(args -> 'more') FROM ` + jobstest.Jobs + ` WHERE finalized_at IS NULL) AS open`
	if all, different := p.count("SELECT count(*) FROM "+open), p.count("SELECT count(DISTINCT id) FROM "+open); all != events || different != events {
		t.Errorf("%d wake-ups of %d deliveries", all, different)
	}
	letGo()
	p.until("delivery of everything", "SELECT count(*) = 20 FROM deliveries WHERE state = 'delivered' AND attempts = 1")
}

// A process that was paused sets aside nothing of a job that another process has rescued.
func TestARescuedJobIsNotSetAside(t *testing.T) {
	p := newPlatform(t, "1h")
	p.hook("http://192.0.2.1", "")
	p.publishMany(3)
	p.exec(jobstest.Update("state = 'running', attempt = 2", "true"))
	for _, run := range []struct{ attempt, aside, left int }{{1, 0, 3}, {2, 2, 1}, {2, 3, 1}} {
		started := 1
		if run.aside == 3 { // the whole job
			started = 0
		}
		p.must(p.workers.AddToOverflow(t.Context(), run.attempt, started))
		aside := p.count("SELECT count(*) FROM set_aside")
		left := p.count("SELECT 1 + coalesce(jsonb_array_length(args -> 'more'), 0) FROM " + jobstest.Jobs)
		if done := p.count(jobstest.Count("state = 'completed' AND finalized_at IS NOT NULL")); aside != run.aside ||
			left != run.left || done != 1-min(started, 1) {
			t.Errorf("%+v: %d set aside, %d left, %d completed", run, aside, left, done)
		}
	}
}

// A failure in a process that has lost its job does not reschedule the job. The current run continues alone.
func TestAFailureOfALostJobDoesNotRestoreIt(t *testing.T) {
	p := newPlatform(t, "1h")
	url, _ := listen(t, status(200))
	p.hook(url, "")
	p.config.Store = rescuedMeanwhile{p.config.Store, p}
	workers, err := jobs.NewWorkers(p.config)
	p.must(err)
	p.workers = workers
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	p.attempt()
	p.until("end of the job", "SELECT state <> 'running' FROM "+jobstest.Jobs)
	if again := p.count(jobstest.Count("finalized_at IS NULL OR errors IS NOT NULL")); again != 0 {
		t.Error("the job is scheduled to run again")
	}
}

// rescuedMeanwhile is the store of a process that loses its job during an attempt.
type rescuedMeanwhile struct {
	jobs.Store
	p *platform
}

func (s rescuedMeanwhile) Record(ctx context.Context, _ []webhook.EndedAttempt) ([]webhook.Recorded, error) {
	_, err := s.p.sql.ExecContext(ctx, jobstest.Update("attempt = attempt + 1", "true"))
	return nil, errors.Join(err, errors.New("the connection broke"))
}
