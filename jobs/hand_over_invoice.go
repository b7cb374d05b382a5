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

// HandOvers is the database as the hand-over of invoices needs it. To the worker a hand-over is a delivery with the
// invoice's _id, so that schedule, verdicts and attempts are those of webhooks (decisions 8.5).
type HandOvers interface {
	// Load reads everything that the next attempt needs, or NOT_FOUND.
	Load(ctx context.Context, invoiceID string) (webhook.Outgoing, error)
	// Record stores an attempt and its verdict, unless the hand-over has moved on since it was loaded.
	Record(ctx context.Context, of webhook.Delivery, attempt webhook.Attempt,
		judge func(webhook.Delivery) webhook.Verdict) (webhook.Recorded, error)
	// Cancel ends a hand-over that nobody wants, unless it has moved on since it was loaded.
	Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error)
	// Overdue lists hand-overs whose wake-up should have come before a time.
	Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.WakeUp, error)
}

// handOverArgs is all that a job holds. The member's name is that of webhook deliveries: the sweep looks for either.
type handOverArgs struct {
	InvoiceID string   `json:"delivery_id"`
	Traces    []string `json:"traces,omitempty"`
}

// handOverKind is the kind of these jobs in the database.
const handOverKind = "hand_over_invoice"

// Kind names the job in the database.
func (handOverArgs) Kind() string { return handOverKind }

// handOverWorker makes one attempt to hand an invoice over.
type handOverWorker struct {
	river.WorkerDefaults[handOverArgs]

	store    HandOvers
	caller   caller
	schedule webhook.RetrySchedule
	keeper   keeper
	gates    *gates
}

func newHandOverWorker(config Config, keeper keeper, gates *gates) *handOverWorker {
	return &handOverWorker{
		store: config.HandOvers, caller: caller{
			sender: config.Sender, log: config.Log, now: config.Now, cancel: config.HandOvers.Cancel,
			attempt: "invoice hand-over attempt", delivery: "invoice hand-over", identity: handedOver,
		},
		schedule: config.Schedule, keeper: keeper, gates: gates,
	}
}

// Work follows a wake-up, when the seller's invoicing has room for a call. An error means that the server failed, not the
// listener, and that the job runs again.
func (w *handOverWorker) Work(ctx context.Context, job *river.Job[handOverArgs]) error {
	out, err := w.store.Load(ctx, job.Args.InvoiceID)
	if err != nil {
		return err // an invoice is never deleted
	}
	lane := laneOf(job.Queue)
	gate := gateName{string(out.Delivery.SellerID), lane}
	if lane != webhook.ByHandLane {
		gate.lane = handOverLane
	}
	if _, room := <-w.gates.enter(gate, 1).places; !room {
		return river.JobSnooze(w.pause(lane, job.Metadata))
	}
	var attempt *webhook.Attempt
	var end ended
	w.gates.pass(ctx, gate, func(ctx context.Context) (timedOut bool) {
		attempt, end = w.caller.call(ctx, out, lane, job.ScheduledAt)
		return hasTimedOut(attempt)
	})
	switch {
	case end.later:
		return river.JobSnooze(pauseByHand)
	case attempt != nil:
		return w.record(ctx, out, *attempt)
	}
	return end.err
}

// handOverLane is what hand-overs by the schedule are to the gates: what they take of the workers is their own.
const handOverLane webhook.Lane = 255

// longestPause is how long at most an attempt of the schedule steps aside for want of room.
const longestPause = time.Minute

// pause is how long an attempt steps aside that its listener has no room for: twice as long each time, as there may be thousands.
func (w *handOverWorker) pause(lane webhook.Lane, metadata []byte) time.Duration {
	if lane == webhook.ByHandLane {
		return pauseByHand
	}
	var past struct {
		Snoozes int `json:"snoozes"`
	}
	_ = json.Unmarshal(metadata, &past) // River's own
	longest := longestPause
	if past.Snoozes < 6 {
		longest = time.Second << past.Snoozes
	}
	return longest/2 + rand.N(longest/2) //nolint:gosec // jitter is no secret
}

// record stores and logs an attempt.
func (w *handOverWorker) record(ctx context.Context, out webhook.Outgoing, attempt webhook.Attempt) error {
	random := rand.Float64() //nolint:gosec // jitter is no secret; once: the transaction may run again
	judge := func(now webhook.Delivery) webhook.Verdict { return w.schedule.Judge(now, attempt, random) }
	var recorded webhook.Recorded
	err := w.keeper.keep(ctx, attempt.Duration(), func(ctx context.Context) (err error) {
		recorded, err = w.store.Record(ctx, out.Delivery, attempt, judge)
		return err
	})
	w.caller.tell(ctx, out, attempt, recorded, err)
	return err
}

func handedOver(d webhook.Delivery) []any {
	return []any{slog.String("invoice", d.ID), slog.String("seller", string(d.SellerID))}
}
