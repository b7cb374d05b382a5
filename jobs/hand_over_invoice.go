package jobs

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/riverqueue/river"

	"ticketgate/domain/webhook"
)

// HandOvers is the store of invoice hand-overs. The worker treats a hand-over as a delivery whose id is the invoice's
// _id, with the schedule, verdicts and attempts of webhooks.
type HandOvers interface {
	// Load reads all data for the next attempt. It returns NOT_FOUND if the hand-over does not exist.
	Load(ctx context.Context, invoiceID string) (webhook.Outgoing, error)
	// Record stores an attempt and its verdict, unless the hand-over has changed since it was loaded.
	Record(ctx context.Context, of webhook.Delivery, attempt webhook.Attempt,
		judge func(webhook.Delivery) webhook.Verdict) (webhook.Recorded, error)
	// Cancel cancels an unwanted hand-over, unless it has changed since it was loaded.
	Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error)
	// Overdue lists hand-overs that were due before the given time.
	Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.Job, error)
}

// handOverArgs identifies the invoice of a job. The JSON field has the same name as in deliverArgs, because the sweep
// searches for both.
type handOverArgs struct {
	InvoiceID string   `json:"delivery_id"`
	Traces    []string `json:"traces,omitempty"`
}

// handOverKind is the kind of hand-over jobs.
const handOverKind = "hand_over_invoice"

// Kind names the job in the database.
func (handOverArgs) Kind() string { return handOverKind }

// handOverWorker hands over invoices, one attempt per job.
type handOverWorker struct {
	river.WorkerDefaults[handOverArgs]

	store    HandOvers
	caller   caller
	schedule webhook.RetrySchedule
	recorder recorder
	limiters *limiterSet
}

func newHandOverWorker(config Config, recorder recorder, limiters *limiterSet) *handOverWorker {
	return &handOverWorker{
		store: config.HandOvers, caller: caller{
			sender: config.Sender, log: config.Log, now: config.Now, cancel: config.HandOvers.Cancel,
			attempt: "invoice hand-over attempt", delivery: "invoice hand-over", identity: handOverIdentity,
		},
		schedule: config.Schedule, recorder: recorder, limiters: limiters,
	}
}

// Work makes the attempt when the seller's invoicing system has capacity for a call. An error means that the server
// failed, not the invoicing system. The job then runs again.
func (w *handOverWorker) Work(ctx context.Context, job *river.Job[handOverArgs]) error {
	out, err := w.store.Load(ctx, job.Args.InvoiceID)
	if err != nil {
		return err // invoices are never deleted
	}
	queue := parseQueue(job.Queue)
	key := limiterKey{string(out.Delivery.SellerID), queue}
	if queue != webhook.ManualQueue {
		key.queue = handOverCalls
	}
	if _, ok := <-w.limiters.acquire(key, 1).slots; !ok {
		return river.JobSnooze(w.pause(queue, job.Metadata))
	}
	var attempt *webhook.Attempt
	var result outcome
	w.limiters.run(ctx, key, func(ctx context.Context) (timedOut bool) {
		attempt, result = w.caller.call(ctx, out, queue, job.ScheduledAt)
		return hasTimedOut(attempt)
	})
	switch {
	case result.later:
		return river.JobSnooze(manualPause)
	case attempt != nil:
		return w.record(ctx, out, *attempt)
	}
	return result.err
}

// handOverCalls is the limiters' queue of scheduled hand-overs. It counts their workers separately from those of
// webhooks.
const handOverCalls webhook.Queue = 255

// maxPause is the upper limit of pause for scheduled attempts.
const maxPause = time.Minute

// pause returns the wait of an attempt that found no room. It doubles each time, since thousands may be waiting.
func (w *handOverWorker) pause(queue webhook.Queue, metadata []byte) time.Duration {
	if queue == webhook.ManualQueue {
		return manualPause
	}
	var past struct {
		Snoozes int `json:"snoozes"`
	}
	_ = json.Unmarshal(metadata, &past) // River's own metadata
	longest := maxPause
	if past.Snoozes < 6 {
		longest = time.Second << past.Snoozes
	}
	return longest/2 + rand.N(longest/2) //nolint:gosec // jitter need not be secret
}

// record stores and logs an attempt.
func (w *handOverWorker) record(ctx context.Context, out webhook.Outgoing, attempt webhook.Attempt) error {
	random := rand.Float64() //nolint:gosec // jitter need not be secret; determined once, since the transaction may be retried
	judge := func(now webhook.Delivery) webhook.Verdict { return w.schedule.Judge(now, attempt, random) }
	var recorded webhook.Recorded
	err := w.recorder.record(ctx, attempt.Duration(), func(ctx context.Context) (err error) {
		recorded, err = w.store.Record(ctx, out.Delivery, attempt, judge)
		return err
	})
	w.caller.logAttempt(ctx, out, attempt, recorded, err)
	return err
}

func handOverIdentity(d webhook.Delivery) []any {
	return []any{slog.String("invoice", d.ID), slog.String("seller", string(d.SellerID))}
}
