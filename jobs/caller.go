package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

// caller makes and logs delivery attempts: of events to webhooks, and of invoices to a seller's invoicing system.
type caller struct {
	sender *Sender
	log    *slog.Logger
	now    func() time.Time
	cancel func(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error)
	// attempt and delivery are the log messages for an attempt and for its delivery. identity returns the log fields
	// that identify a delivery.
	attempt, delivery string
	identity          func(webhook.Delivery) []any
}

var errInterrupted = errors.New("the server stopped during the call; the attempt will be repeated")

var errLate = errors.New("the job timed out; the attempt will be repeated")

// isLate reports whether the job's deadline has passed. It reads the clock because timers may not have fired yet
// after a pause of the process, and another process may have taken over the job.
func isLate(ctx context.Context) bool {
	deadline, bounded := ctx.Deadline()
	return bounded && !time.Now().Before(deadline) //nolint:forbidigo // a deadline is in real time
}

// outcome is the outcome of one delivery's turn in a job. If later is set, the turn is postponed: a manual attempt is
// running, or this manual attempt found no capacity at the listener.
type outcome struct {
	err   error
	later bool
}

// call makes the attempt of a delivery if one is due. If the delivery is no longer wanted, it is canceled instead.
func (c caller) call(ctx context.Context, out webhook.Outgoing, queue webhook.Queue, scheduledAt time.Time) (*webhook.Attempt, outcome) {
	switch out.Delivery.NextAction(queue, scheduledAt, c.now()) {
	case webhook.Skip:
		return nil, outcome{}
	case webhook.Postpone:
		return nil, outcome{later: true}
	case webhook.Call:
	}
	if !out.Wanted {
		result, err := c.cancel(ctx, out.Delivery, c.now())
		if result.OK {
			c.logCanceled(ctx, result)
		}
		return nil, outcome{err: err}
	}
	if out.Fault != nil {
		fields := append(c.identity(out.Delivery), slog.Any("error", out.Fault))
		text := c.attempt + " failed in this process and will be retried"
		c.log.ErrorContext(ctx, text, fields...) //nolint:sloglint // the worker sets the message
		return nil, outcome{err: out.Fault}
	}
	if isLate(ctx) {
		return nil, outcome{err: errLate}
	}
	killpoint.At(killpoint.AttemptOpen)
	result := c.sender.Send(ctx, Request{URL: out.URL, Key: out.Key, Body: out.Body, DeliveryID: out.Delivery.ID})
	if result.Failure == webhook.FailureInterrupted {
		return nil, outcome{err: errInterrupted}
	}
	attempt := result.attempt(out, queue == webhook.ManualQueue)
	return &attempt, outcome{}
}

// logCanceled logs a canceled delivery, or a dropped retry of a delivery that had already ended.
func (c caller) logCanceled(ctx context.Context, result webhook.Recorded) {
	what := c.delivery + " canceled"
	if result.Ended == "" {
		what = c.delivery + " re-trigger called off"
	}
	fields := append(c.identity(result.After), slog.String("state", string(result.After.State)))
	c.log.InfoContext(ctx, what, fields...) //nolint:sloglint // the worker sets the message
}

// hasTimedOut reports whether an attempt was made and the listener did not respond in time.
func hasTimedOut(a *webhook.Attempt) bool {
	return a != nil && a.Failure != nil && *a.Failure == webhook.FailureTimeout
}

// attempt converts a result to the stored attempt of a delivery.
func (r Result) attempt(out webhook.Outgoing, manual bool) webhook.Attempt {
	attempt := webhook.Attempt{
		Number: out.Delivery.AttemptCount + 1, ByHand: manual, URL: out.URL,
		StartedAt: moment.New(r.StartedAt), DurationMS: int(r.Duration.Milliseconds()),
		Detail: r.Detail, ResponseBodyTruncated: r.BodyTruncated, RawBody: r.Body, RetryAfter: r.RetryAfter,
	}
	if r.Status != 0 {
		attempt.Status = &r.Status
	}
	if r.Failure != "" {
		failure := r.Failure
		attempt.Failure = &failure
	}
	return attempt
}

// logAttempt logs an attempt, and the delivery if the attempt was its last. The query string of the URL is left out because
// it may contain secrets.
func (c caller) logAttempt(ctx context.Context, out webhook.Outgoing, a webhook.Attempt, recorded webhook.Recorded, err error) {
	url, _, _ := strings.Cut(out.URL, "?")
	fields := append(c.identity(out.Delivery),
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
		if recorded.After.NextAttemptAt != nil {
			fields = append(fields, slog.String("next_attempt_at", recorded.After.NextAttemptAt.String()))
		}
	}
	level := slog.LevelInfo
	if err != nil {
		level, fields = slog.LevelError, append(fields, slog.Any("error", err))
	}
	c.log.Log(ctx, level, c.attempt, fields...) //nolint:sloglint // the worker sets the message
	if recorded.Ended == webhook.Failed {
		c.log.WarnContext(ctx, c.delivery+" given up", c.identity(out.Delivery)...) //nolint:sloglint // the worker sets the message
	}
}
