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
	sender   *Sender
	schedule webhook.RetrySchedule
	log      *slog.Logger
	now      func() time.Time
	keeper   keeper
}

func newHandOverWorker(config Config, keeper keeper) *handOverWorker {
	return &handOverWorker{
		store: config.HandOvers, sender: config.Sender, schedule: config.Schedule, log: config.Log, now: config.Now,
		keeper: keeper,
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
	result := w.sender.Send(ctx, Request{URL: out.URL, Key: out.Key, Body: out.Body, DeliveryID: out.Delivery.ID})
	if result.Failure == FailureInterrupted {
		return errInterrupted
	}
	return w.record(ctx, out, result.attempt(out, lane == webhook.ByHandLane))
}

// record stores and logs an attempt.
func (w *handOverWorker) record(ctx context.Context, out webhook.Outgoing, attempt webhook.Attempt) error {
	random := rand.Float64() //nolint:gosec // jitter is no secret; once: the transaction may run again
	judge := func(now webhook.Delivery) webhook.Verdict { return w.schedule.Judge(now, attempt, random) }
	var recorded webhook.Recorded
	err := w.keeper.keep(ctx, attempt.Duration(), func(ctx context.Context) (err error) {
		recorded.After, recorded.OK, err = w.store.Record(ctx, out.Delivery, attempt, judge)
		return err
	})
	w.logAttempt(ctx, out, attempt, recorded, err)
	return err
}

// logAttempt writes the one line of an attempt, and one of a hand-over that is given up.
func (w *handOverWorker) logAttempt(
	ctx context.Context, out webhook.Outgoing, a webhook.Attempt, recorded webhook.Recorded, err error,
) {
	url, _, _ := strings.Cut(out.URL, "?") // the query string may hold a secret
	fields := append(handedOver(out.Delivery),
		slog.Int("attempt", a.Number), slog.Bool("by_hand", a.ByHand), slog.String("url", url),
		slog.Int("duration_ms", a.DurationMS), slog.Bool("success", a.Success()), slog.Bool("recorded", recorded.OK))
	if a.Status != nil {
		fields = append(fields, slog.Int("status", *a.Status))
	}
	if a.Failure != nil {
		fields = append(fields, slog.String("failure", string(*a.Failure)))
	}
	if recorded.OK {
		fields = append(fields, slog.String("state", string(recorded.After.State)))
	}
	level := slog.LevelInfo
	if err != nil {
		level, fields = slog.LevelError, append(fields, slog.String("error", err.Error()))
	}
	w.log.Log(ctx, level, "invoice hand-over attempt", fields...)
	if recorded.OK && recorded.After.State == webhook.Failed {
		w.log.WarnContext(ctx, "invoice hand-over given up", handedOver(out.Delivery)...)
	}
}

func handedOver(d webhook.Delivery) []any {
	return []any{slog.String("invoice", d.ID), slog.String("seller", string(d.SellerID))}
}
