package jobs_test

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"ticketgate/domain/webhook"
	"ticketgate/jobs/jobstest"
)

// otherArgs is a kind of job that only another version of the program knows.
type otherArgs struct{}

func (otherArgs) Kind() string { return "of_another_version" }

// otherVersion is a process of a rolling deploy that works a queue but knows none of this version's kinds of jobs.
func (p *platform) otherVersion(queue string) {
	p.t.Helper()
	known := river.NewWorkers()
	river.AddWorker(known, river.WorkFunc(func(context.Context, *river.Job[otherArgs]) error { return nil }))
	client, err := river.NewClient(riverpgxv5.New(p.config.Pool), &river.Config{
		Queues: map[string]river.QueueConfig{queue: {MaxWorkers: 1}}, Workers: known,
		JobTimeout: 500 * time.Millisecond, RescueStuckJobsAfter: time.Second, Logger: slog.New(slog.DiscardHandler),
	})
	p.must(err)
	p.must(client.Start(p.t.Context()))
	p.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = client.StopAndCancel(ctx)
	})
}

// River's leader discards stuck jobs of unknown kinds without running any of our code. The delivery gets a new job.
func TestDeliveriesThatAnotherVersionDiscardsAreDelivered(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(200))
	p.hook(url, "")
	p.publish("ticket.created", `{"ticket":{}}`)
	p.exec(jobstest.Update("state = 'running', attempt = 1, attempted_at = now() - interval '2 h', attempted_by = '{gone}'", "true"))
	p.otherVersion("of_its_own")
	p.until("discarding by the other version", "SELECT state = 'discarded' FROM "+jobstest.Jobs)

	p.must(p.workers.SweepBefore(t.Context(), time.Now().Add(time.Second)))
	p.start()
	receive(t, calls, "the call")
	p.until("delivery", "SELECT state = 'delivered' AND attempts = 1 FROM deliveries")
}

// A process that fetches a job of an unknown kind gives it back, and a process that knows the kind runs it.
func TestDeliveriesUnknownToAnotherVersionAreDelivered(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(200))
	p.hook(url, "")
	p.otherVersion("webhook_first")
	p.publish("ticket.created", `{"ticket":{}}`)
	p.until("failure in the other version", "SELECT state IN ('retryable', 'available') AND coalesce(cardinality(errors), 0) = 1 FROM "+jobstest.Jobs)
	p.start()
	receive(t, calls, "the call")
	p.until("delivery", "SELECT state = 'delivered' AND attempts = 1 FROM deliveries")
}

// A delivery gets an outcome even if the process dies during its last scheduled attempt.
func TestKillDuringLastAttemptHasOutcome(t *testing.T) {
	p := newPlatform(t, "0s,0s,0s,0s,0s,0s")
	url, calls := listen(t, status(500))
	hook := p.hook(url, "")
	p.publish("ticket.created", `{"ticket":{}}`)
	p.exec("UPDATE deliveries SET attempts = 6, scheduled = 6")
	p.exec(jobstest.Update(`queue = 'webhook_retry', state = 'running', attempt = 1000, max_attempts = 1000,
		attempted_at = now() - interval '30 s', attempted_by = '{gone}'`, "true"))
	p.must(p.workers.RescueOlder(t.Context(), 20*time.Second))
	p.start()
	receive(t, calls, "the last call")
	p.until("end", "SELECT state = 'failed' AND attempts = 7 AND scheduled = 7 FROM deliveries")
	p.wantNotice("giveUpWebhookDelivery", "webhookDelivery", p.only().ID,
		`{"state": "failed", "status": 500, "attempts": 7, "webhookId": "`+hook.ID+`"}`)
}

// wantNotice checks that the audit log has one entry written by Ticketgate itself.
func (p *platform) wantNotice(action, object, id, after string) {
	p.t.Helper()
	query := `SELECT count(*) FROM audit_entries WHERE seller_id = $1 AND actor_kind = 'SYSTEM' AND actor_id = 'system'
		AND action = $2 AND object = $3 AND object_id = $4 AND before = '{"state": "pending"}' AND after = $5::jsonb`
	var found int
	p.must(p.sql.QueryRowContext(p.t.Context(), query, string(seller), action, object, id, after).Scan(&found))
	if all := p.count("SELECT count(*) FROM audit_entries WHERE action LIKE 'giveUp%'"); found != 1 || all != 1 {
		var last string
		_ = p.sql.QueryRowContext(p.t.Context(), "SELECT to_jsonb(a)::text FROM audit_entries a ORDER BY id DESC LIMIT 1").Scan(&last)
		p.t.Errorf("%d such entries of %d, the last entry is %s", found, all, last)
	}
}

// Every attempt, scheduled or manual, that leaves a delivery failed writes an entry. An attempt that leaves it
// pending writes none.
func TestAFailedDeliveryWritesAnEntry(t *testing.T) {
	p := newPlatform(t, "0s")
	hang := make(chan struct{})
	url, calls := listen(t, func(w http.ResponseWriter, number int) {
		if number == 2 {
			<-hang
		}
		w.WriteHeader(http.StatusBadGateway)
	})
	t.Cleanup(func() { close(hang) })
	p.config.Sender.Timeout = 100 * time.Millisecond
	hook := p.hook(url, "")
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	receive(t, calls, "the first call")
	receive(t, calls, "the second call")
	p.until("end", "SELECT state = 'failed' FROM deliveries")
	p.wantNotice("giveUpWebhookDelivery", "webhookDelivery", p.only().ID,
		`{"state": "failed", "failure": "`+string(webhook.FailureTimeout)+`", "attempts": 2, "webhookId": "`+hook.ID+`"}`)
}
