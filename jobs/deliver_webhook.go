package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
)

// recordTimeout bounds the statements after a call. They run even when the server is being stopped: what a listener
// has answered is known, and should not be asked again.
const recordTimeout = 5 * time.Second

// pauseByHand is how long a scheduled attempt steps aside for one by hand.
const pauseByHand = time.Second

// deliverWorker makes one attempt of a delivery. First attempts, retries and attempts by hand are the same to it.
type deliverWorker struct {
	river.WorkerDefaults[deliverArgs]

	store    Store
	sender   *Sender
	schedule webhook.RetrySchedule
	log      *slog.Logger
	now      func() time.Time
	random   func() float64
}

var errInterrupted = errors.New("the server stopped during the call; it is made again")

// Work follows a wake-up. An error means that the server failed, not the listener, and that the job runs again.
func (w *deliverWorker) Work(ctx context.Context, job *river.Job[deliverArgs]) error {
	out, err := w.store.Load(ctx, job.Args.DeliveryID)
	if domain.HasCode(err, domain.CodeNotFound) {
		return nil // its time of keeping is over
	}
	if err != nil {
		return err
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
		w.log.InfoContext(ctx, "webhook delivery canceled", identity(out.Delivery)...)
		return w.store.Cancel(ctx, out.Delivery, w.now())
	}
	return w.attempt(ctx, out, lane == webhook.ByHandLane)
}

// attempt calls, records and logs.
func (w *deliverWorker) attempt(ctx context.Context, out webhook.Outgoing, byHand bool) error {
	result := w.sender.Send(ctx, Request{URL: out.URL, Key: out.Key, Body: out.Body})
	if result.Failure == FailureInterrupted {
		return errInterrupted
	}
	attempt := result.attempt(out, byHand)
	random := w.random() // once: the transaction may run again
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	after, recorded, err := w.store.Record(ctx, out.Delivery, attempt, func(now webhook.Delivery) webhook.Verdict {
		return w.schedule.Judge(now, attempt, random)
	})
	w.logAttempt(ctx, out, attempt, after, recorded, err)
	return err
}

// attempt is how a call ended, as it is kept.
func (r Result) attempt(out webhook.Outgoing, byHand bool) webhook.Attempt {
	made := webhook.Attempt{
		Number: out.Delivery.AttemptCount + 1, ByHand: byHand, URL: out.URL,
		StartedAt: domain.NewDateTime(r.StartedAt), DurationMS: int(r.Duration.Milliseconds()),
		Detail: r.Detail, ResponseBodyTruncated: r.BodyTruncated, RawBody: r.Body, RetryAfter: r.RetryAfter,
	}
	if r.Status != 0 {
		made.Status = &r.Status
	}
	if r.Failure != "" {
		failure := webhook.Failure(r.Failure)
		made.Failure = &failure
	}
	return made
}

// logAttempt writes the one line of an attempt. It holds no secret, and therefore no query string.
func (w *deliverWorker) logAttempt(
	ctx context.Context, out webhook.Outgoing, a webhook.Attempt, after webhook.Delivery, recorded bool, err error,
) {
	url, _, _ := strings.Cut(out.URL, "?")
	fields := append(identity(out.Delivery),
		slog.Int("attempt", a.Number), slog.Bool("by_hand", a.ByHand), slog.String("url", url),
		slog.Int("duration_ms", a.DurationMS), slog.Bool("success", a.Success()), slog.Bool("recorded", recorded))
	if a.Status != nil {
		fields = append(fields, slog.Int("status", *a.Status))
	}
	if a.Failure != nil {
		fields = append(fields, slog.String("failure", string(*a.Failure)))
	}
	if recorded {
		fields = append(fields, slog.String("state", string(after.State)))
		if after.NextAttemptAt != nil {
			fields = append(fields, slog.String("next_attempt_at", after.NextAttemptAt.String()))
		}
	}
	level := slog.LevelInfo
	if err != nil {
		level, fields = slog.LevelError, append(fields, slog.String("error", err.Error()))
	}
	w.log.Log(ctx, level, "webhook attempt", fields...)
}

func identity(d webhook.Delivery) []any {
	return []any{
		slog.String("delivery", d.ID), slog.String("event", d.EventID), slog.String("webhook", d.WebhookID),
		slog.String("seller", string(d.SellerID)), slog.String("type", string(d.Type)),
	}
}
