package jobs

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strings"
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
		judge func(webhook.Delivery) webhook.Verdict) (after webhook.Delivery, recorded bool, err error)
	// Cancel ends a hand-over that nobody wants, unless it has moved on since it was loaded.
	Cancel(ctx context.Context, of webhook.Delivery, at time.Time) error
	// Overdue lists hand-overs whose wake-up should have come before a time.
	Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.WakeUp, error)
}

// handOverArgs is all that a job holds. The member's name is that of webhook deliveries: the sweep looks for either.
type handOverArgs struct {
	InvoiceID string `json:"delivery_id"`
}

// handOverKind is the kind of these jobs in the database.
const handOverKind = "hand_over_invoice"

// Kind names the job in the database.
func (handOverArgs) Kind() string { return handOverKind }

// handOverWorker makes one attempt to hand an invoice over.
type handOverWorker struct {
	river.WorkerDefaults[handOverArgs]

	store    HandOvers
	sender   *Sender
	schedule webhook.RetrySchedule
	log      *slog.Logger
	now      func() time.Time
}

func newHandOverWorker(config Config) *handOverWorker {
	return &handOverWorker{
		store: config.HandOvers, sender: config.Sender, schedule: config.Schedule, log: config.Log, now: config.Now,
	}
}

// Work follows a wake-up. An error means that the server failed, not the listener, and that the job runs again.
func (w *handOverWorker) Work(ctx context.Context, job *river.Job[handOverArgs]) error {
	out, err := w.store.Load(ctx, job.Args.InvoiceID)
	if err != nil {
		return err // an invoice is never deleted
	}
	lane := laneOf(job.Queue)
	switch out.Delivery.Turn(lane, w.now()) {
	case webhook.Nothing:
		return nil
	case webhook.Later:
		return river.JobSnooze(pauseByHand)
	case webhook.Go:
	}
	if !out.Wanted {
		w.log.InfoContext(ctx, "invoice hand-over canceled", handedOver(out.Delivery)...)
		return w.store.Cancel(ctx, out.Delivery, w.now())
	}
	result := w.sender.Send(ctx, Request{URL: out.URL, Key: out.Key, Body: out.Body})
	if result.Failure == FailureInterrupted {
		return errInterrupted
	}
	return w.record(ctx, out, result.attempt(out, lane == webhook.ByHandLane))
}

// record stores and logs an attempt.
func (w *handOverWorker) record(ctx context.Context, out webhook.Outgoing, attempt webhook.Attempt) error {
	random := rand.Float64() //nolint:gosec // jitter is no secret; once: the transaction may run again
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	after, recorded, err := w.store.Record(ctx, out.Delivery, attempt, func(now webhook.Delivery) webhook.Verdict {
		return w.schedule.Judge(now, attempt, random)
	})
	url, _, _ := strings.Cut(out.URL, "?") // the query string may hold a secret
	fields := append(handedOver(out.Delivery),
		slog.Int("attempt", attempt.Number), slog.Bool("by_hand", attempt.ByHand), slog.String("url", url),
		slog.Int("duration_ms", attempt.DurationMS), slog.Bool("success", attempt.Success()), slog.Bool("recorded", recorded))
	if attempt.Status != nil {
		fields = append(fields, slog.Int("status", *attempt.Status))
	}
	if attempt.Failure != nil {
		fields = append(fields, slog.String("failure", string(*attempt.Failure)))
	}
	if recorded {
		fields = append(fields, slog.String("state", string(after.State)))
	}
	level := slog.LevelInfo
	if err != nil {
		level, fields = slog.LevelError, append(fields, slog.String("error", err.Error()))
	}
	w.log.Log(ctx, level, "invoice hand-over attempt", fields...)
	return err
}

func handedOver(d webhook.Delivery) []any {
	return []any{slog.String("invoice", d.ID), slog.String("seller", string(d.SellerID))}
}
