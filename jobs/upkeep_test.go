package jobs_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"ticketgate/domain/webhook"
	"ticketgate/jobs"
	"ticketgate/jobs/jobstest"
)

// A process killed during an attempt leaves its job running. The delivery is sent again with the same id and bytes.
func TestJobOfAKilledProcessRunsAgain(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(200))
	p.hook(url, "")
	p.publish("ticket.created", `{"ticket":{"a":1}}`)
	before := p.only()
	p.exec(jobstest.Update("state = 'running', attempt = 1, attempted_at = now() - interval '30 s', attempted_by = '{gone}'", "true"))

	p.must(p.workers.RescueOlder(t.Context(), time.Minute))
	var state string
	p.must(p.sql.QueryRowContext(t.Context(), "SELECT state FROM "+jobstest.Jobs).Scan(&state))
	if state != "running" {
		t.Fatalf("a job that may still run is %s", state)
	}
	p.must(p.workers.RescueOlder(t.Context(), 20*time.Second))
	p.start()
	if got := receive(t, calls, "the call").body; got != before.Payload {
		t.Errorf("sent %s, made %s", got, before.Payload)
	}
	p.attempt()
	if d := p.only(); d.State != webhook.Delivered || d.AttemptCount != 1 {
		t.Errorf("%+v", d.Delivery)
	}
}

// The upkeep brings the job back by itself within the promised time.
func TestRunningServerRescuesStuckJobs(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(200))
	p.hook(url, "")
	p.publish("ticket.created", `{"ticket":{}}`)
	p.exec(jobstest.Update("state = 'running', attempt = 1, attempted_at = now() - interval '19 s', attempted_by = '{gone}'", "true"))
	p.start()
	receive(t, calls, "the call")
}

func TestADeliveryWithoutAJobGetsANewOne(t *testing.T) {
	for name, vanish := range map[string]string{
		"deleted":   jobstest.Delete("true"),
		"discarded": jobstest.Update("state = 'discarded', finalized_at = now()", "true"),
		"completed": jobstest.Update("state = 'completed', finalized_at = now()", "true"),
		"cancelled": jobstest.Update("state = 'cancelled', finalized_at = now()", "true"),
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlatform(t, "1h")
			url, calls := listen(t, status(200))
			p.hook(url, "")
			p.publish("ticket.created", `{"ticket":{}}`)
			p.exec(vanish)
			soon := time.Now().Add(time.Second)
			p.must(p.workers.SweepBefore(t.Context(), soon))
			p.must(p.workers.SweepBefore(t.Context(), soon)) // the second sweep finds the job of the first
			var jobs int
			p.must(p.sql.QueryRowContext(t.Context(), jobstest.Count("state = 'available'")).Scan(&jobs))
			if jobs != 1 {
				t.Fatalf("%d jobs", jobs)
			}
			p.start()
			receive(t, calls, "the call")
		})
	}
}

// A crash of the database loses a result whose job is completed. The delivery gets a new job within seconds.
func TestAttemptsLostInADatabaseCrashAreRepeated(t *testing.T) {
	p := newPlatform(t, "1h")
	p.hook("http://192.0.2.1", "")
	p.publishMany(2)
	p.exec(jobstest.Update("state = 'completed', finalized_at = now()", "true"))
	p.exec("UPDATE deliveries SET next_attempt_at = now() - interval '6 s' WHERE id = (SELECT min(id::text)::uuid FROM deliveries)")
	noticed, swept := p.workers.AfterRestart(t.Context())
	p.must(noticed)
	p.must(swept)
	const madeAgain = "state = 'available' AND args->>'delivery_id' = (SELECT min(id::text) FROM deliveries) AND NOT args ? 'more'"
	if jobs := p.count(jobstest.Count(madeAgain)); jobs != 1 {
		t.Errorf("%d jobs", jobs)
	}
}

func TestAManualRetryWithoutAJobGetsANewOne(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(500))
	p.hook(url, "")
	p.publish("ticket.created", `{"ticket":{}}`)
	p.exec("UPDATE deliveries SET next_attempt_at = now() + interval '1 h'")
	_, err := p.deliveries().Retry(p.key(), p.only().ID)
	p.must(err)
	p.exec(jobstest.Delete("queue = 'webhook_by_hand'"))
	p.must(p.workers.SweepBefore(t.Context(), time.Now().Add(time.Second)))
	p.start()
	receive(t, calls, "the call")
	if line := p.attempt(); line["by_hand"] != true {
		t.Errorf("%v", line)
	}
}

// A process whose clock is an hour slow takes its own retry for too early and leaves it. The attempt is made when it
// is due by that clock.
func TestAWrongClockSkipsNoAttempt(t *testing.T) {
	p := newPlatform(t, "10m")
	var late atomic.Int64
	late.Store(int64(time.Hour))
	now := func() time.Time { return time.Now().Add(-time.Duration(late.Load())) }
	p.config.Now, p.config.Sender.Now = now, now
	url, calls := listen(t, func(w http.ResponseWriter, number int) { w.WriteHeader([]int{500, 200}[number-1]) })
	p.hook(url, "")
	workers, err := jobs.NewWorkers(p.config)
	p.must(err)
	p.workers = workers
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	receive(t, calls, "the first call")
	p.until("end of the job that came too early", "SELECT count(*) = 2 AND bool_and(state = 'completed') FROM "+jobstest.Jobs)
	late.Store(int64(30 * time.Minute))
	p.must(p.workers.SweepBefore(t.Context(), now()))
	receive(t, calls, "the second call")
	p.until("delivery", "SELECT state = 'delivered' AND attempts = 2 FROM deliveries")
}

func TestPromoteMakesDueJobsAvailable(t *testing.T) {
	p := newPlatform(t, "1h")
	p.hook("http://192.0.2.1", "")
	p.publish("ticket.created", `{"ticket":{}}`)
	p.publish("ticket.created", `{"ticket":{}}`)
	p.exec(jobstest.Update("state = 'scheduled', scheduled_at = now() + interval '1 h'", "true"))
	p.exec(jobstest.Update("state = 'retryable', scheduled_at = now()", "id = (SELECT min(id) FROM "+jobstest.Jobs+")"))
	p.must(p.workers.Promote(t.Context()))
	var available, scheduled int
	p.must(p.sql.QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE state = 'available'),
		count(*) FILTER (WHERE state = 'scheduled') FROM `+jobstest.Jobs).Scan(&available, &scheduled))
	if available != 1 || scheduled != 1 {
		t.Errorf("%d available, %d scheduled", available, scheduled)
	}
}

// A panic, or a database that is unavailable for the record, causes a repeated call but never loses the delivery.
func TestServerFailureRepeatsAttempt(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(200))
	p.hook(url, "")
	p.config.Store = &awayOnce{Store: p.config.Store}
	workers, err := jobs.NewWorkers(p.config)
	p.must(err)
	p.workers = workers
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	first := receive(t, calls, "the first call").body
	if second := receive(t, calls, "the second call").body; second != first {
		t.Errorf("sent %s, first %s", second, first)
	}
	p.until("delivery", "SELECT state = 'delivered' AND attempts = 1 FROM deliveries")
}

// awayOnce is the real store, whose connection breaks at the first record.
type awayOnce struct {
	jobs.Store
	broken atomic.Bool
}

func (s *awayOnce) Record(ctx context.Context, endedAttempts []webhook.EndedAttempt) ([]webhook.Recorded, error) {
	if s.broken.CompareAndSwap(false, true) {
		panic(errors.New("the connection broke"))
	}
	return s.Store.Record(ctx, endedAttempts)
}
