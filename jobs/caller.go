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

// caller makes the attempts of deliveries, and tells the log of them. Events for webhooks and invoices to be handed over are
// the same to it.
type caller struct {
	sender *Sender
	log    *slog.Logger
	now    func() time.Time
	cancel func(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error)
	// attempt and delivery are what the log calls them, identity says which one it is.
	attempt, delivery string
	identity          func(webhook.Delivery) []any
}

var errInterrupted = errors.New("the server stopped during the call; it is made again")

var errLate = errors.New("the job's time is over; its attempt is made again")

// isLate tells that a job's time is over. A process that was paused reads the clock: its timers may not have run yet, and another
// process may have the job by now.
func isLate(ctx context.Context) bool {
	deadline, bounded := ctx.Deadline()
	return bounded && !time.Now().Before(deadline) //nolint:forbidigo // deadlines count real time
}

// ended is what became of a wake-up. Later: it is for another moment, because an attempt by hand is under way or, itself by
// hand, because the listener has no room.
type ended struct {
	err   error
	later bool
}

// call makes the attempt that a wake-up in a lane, meant for a moment, leads to. There is none when the delivery has moved on, or
// when nobody wants it any more.
func (c caller) call(ctx context.Context, out webhook.Outgoing, lane webhook.Lane, meant time.Time) (*webhook.Attempt, ended) {
	switch out.Delivery.Turn(lane, meant, c.now()) {
	case webhook.Nothing:
		return nil, ended{}
	case webhook.Later:
		return nil, ended{later: true}
	case webhook.Go:
	}
	if !out.Wanted {
		called, err := c.cancel(ctx, out.Delivery, c.now())
		if called.OK {
			c.tellCalledOff(ctx, called)
		}
		return nil, ended{err: err}
	}
	if out.Fault != nil {
		fields := append(c.identity(out.Delivery), slog.Any("error", out.Fault))
		c.log.ErrorContext(ctx, c.attempt+" can't be made by this process; it is tried again", fields...) //nolint:sloglint // as above
		return nil, ended{err: out.Fault}
	}
	if isLate(ctx) {
		return nil, ended{err: errLate}
	}
	killpoint.At(killpoint.AttemptOpen)
	result := c.sender.Send(ctx, Request{URL: out.URL, Key: out.Key, Body: out.Body, DeliveryID: out.Delivery.ID})
	if result.Failure == webhook.FailureInterrupted {
		return nil, ended{err: errInterrupted}
	}
	attempt := result.attempt(out, lane == webhook.ByHandLane)
	return &attempt, ended{}
}

// tellCalledOff writes the line of what nobody wants any more: a delivery that is canceled, or a re-trigger of one that had ended.
func (c caller) tellCalledOff(ctx context.Context, called webhook.Recorded) {
	what := c.delivery + " canceled"
	if called.Ended == "" {
		what = c.delivery + " re-trigger called off"
	}
	fields := append(c.identity(called.After), slog.String("state", string(called.After.State)))
	c.log.InfoContext(ctx, what, fields...) //nolint:sloglint // named by its worker
}

// hasTimedOut tells that the listener did not answer in time, if an attempt was made.
func hasTimedOut(a *webhook.Attempt) bool {
	return a != nil && a.Failure != nil && *a.Failure == webhook.FailureTimeout
}

// attempt is how a call ended, as it is kept.
func (r Result) attempt(out webhook.Outgoing, byHand bool) webhook.Attempt {
	made := webhook.Attempt{
		Number: out.Delivery.AttemptCount + 1, ByHand: byHand, URL: out.URL,
		StartedAt: moment.New(r.StartedAt), DurationMS: int(r.Duration.Milliseconds()),
		Detail: r.Detail, ResponseBodyTruncated: r.BodyTruncated, RawBody: r.Body, RetryAfter: r.RetryAfter,
	}
	if r.Status != 0 {
		made.Status = &r.Status
	}
	if r.Failure != "" {
		failure := r.Failure
		made.Failure = &failure
	}
	return made
}

// tell writes the one line of an attempt, and one of a delivery that is given up with it. They hold no secret, and therefore no
// query string.
func (c caller) tell(ctx context.Context, out webhook.Outgoing, a webhook.Attempt, recorded webhook.Recorded, err error) {
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
	c.log.Log(ctx, level, c.attempt, fields...) //nolint:sloglint // named by its worker
	if recorded.Ended == webhook.Failed {
		c.log.WarnContext(ctx, c.delivery+" given up", c.identity(out.Delivery)...) //nolint:sloglint // named by its worker
	}
}
