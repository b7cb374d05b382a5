package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"ticketgate/jobs"
	"ticketgate/jobs/jobstest"
)

// longPeriod is a period that does not end during a test.
const longPeriod = 10_000 * time.Hour

// withPeriodic configures the installation's periodic jobs.
func (p *platform) withPeriodic(list ...jobs.PeriodicJob) {
	p.t.Helper()
	p.config.Periodic = list
	p.newProcess()
}

// newProcess creates workers as another process would.
func (p *platform) newProcess() {
	p.t.Helper()
	workers, err := jobs.NewWorkers(p.config)
	p.must(err)
	p.workers = workers
}

// A failed periodic job runs again a minute later and does not delay others. Every run has a time limit.
func TestAFailedPeriodicJobRunsAgain(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, "1h")
	done := make(chan string, 10)
	periodic := func(name string, err error) jobs.PeriodicJob {
		return jobs.PeriodicJob{Name: name, Every: longPeriod, Work: func(ctx context.Context) error {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Errorf("%s has no time limit", name)
			}
			done <- name
			return err
		}}
	}
	p.withPeriodic(periodic("fails", errors.New("away")), periodic("works", nil))
	p.start()
	first, second := receive(t, done, "a job"), receive(t, done, "the other job")
	if first == second {
		t.Fatalf("%s ran twice", first)
	}
	const failed = " WHERE args ->> 'name' = 'fails' AND state = 'retryable'"
	p.until("another run a minute later", "SELECT count(*) = 1 FROM "+jobstest.Periodic+failed+
		" AND scheduled_at BETWEEN now() + interval '30 s' AND now() + interval '1 min'")
	p.exec(jobstest.UpdatePeriodic("scheduled_at = now()", "state = 'retryable'"))
	if again := receive(t, done, "the next run"); again != "fails" {
		t.Errorf("%s ran again", again)
	}

	// A job inserted by a process of another version waits for a process that knows it.
	p.until("the end of the next run", "SELECT count(*) = 1 FROM "+jobstest.Periodic+failed)
	p.exec(jobstest.UpdatePeriodic(`args = '{"name": "of_another_version"}', scheduled_at = now()`, "state = 'retryable'"))
	p.until("another run of the unknown job", "SELECT count(*) = 1 FROM "+jobstest.Periodic+
		" WHERE args ->> 'name' = 'of_another_version' AND state = 'retryable' AND errors::text LIKE '%has no periodic job%'")
}

// Each leader starts all periodic jobs. A job that ran in the current period does nothing. A job that did not is run.
func TestLeaderChangeKeepsPeriods(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, "1h")
	ran := make(chan struct{}, 10)
	p.withPeriodic(jobs.PeriodicJob{Name: "daily", Every: longPeriod, Work: func(context.Context) error {
		ran <- struct{}{}
		return nil
	}})
	ended := func(runs string) {
		p.until("the end of the job", "SELECT count(*) FILTER (WHERE state = 'completed') = "+runs+" FROM "+jobstest.Periodic+
			" WHERE args ->> 'name' = 'daily'")
		p.must(p.workers.Stop(t.Context()))
	}
	p.start()
	receive(t, ran, "the first run")
	ended("1")

	p.newProcess()
	p.start()
	ended("2")
	if len(ran) != 0 {
		t.Error("a new leader repeated the period")
	}

	p.exec("UPDATE periodic_runs SET period = period - interval '1 day' WHERE name = 'daily'") // the next period has started
	p.newProcess()
	p.start()
	receive(t, ran, "the run of the next period")
	ended("3")
	period := time.Now().UTC().Truncate(longPeriod).Format(time.RFC3339)
	if noted := p.count("SELECT count(*) FROM periodic_runs WHERE name = 'daily' AND period = '" + period + "'"); noted != 1 {
		t.Errorf("%d runs recorded by the start of their period", noted)
	}
}

// A process killed while it ran a periodic job must not block the job for long: no new job is inserted while the old
// one counts as running.
func TestPeriodicJobOfAKilledProcessRunsAgain(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, "1h")
	p.withPeriodic(jobs.PeriodicJob{
		Name: "long", Every: longPeriod, Timeout: time.Minute, Work: func(context.Context) error { return nil },
	})
	p.start()
	p.until("the end of the job", "SELECT count(*) = 1 FROM "+jobstest.Periodic+" WHERE args ->> 'name' = 'long' AND state = 'completed'")
	p.must(p.workers.Stop(t.Context()))
	for _, run := range []struct {
		since, state string
	}{{"59 s", "running"}, {"75 s", "available"}} {
		p.exec(jobstest.UpdatePeriodic("state = 'running', finalized_at = NULL, attempted_at = now() - interval '"+run.since+"'",
			"args ->> 'name' = 'long'"))
		p.must(p.workers.Rescue(t.Context()))
		if found := p.count("SELECT count(*) FROM " + jobstest.Periodic + " WHERE args ->> 'name' = 'long' AND state = '" + run.state + "'"); found != 1 {
			t.Errorf("a job that has run for %s is not %s", run.since, run.state)
		}
	}
}
