package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"ticketgate/domain/batch"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

// manualPause is the wait of a scheduled attempt while a manual one runs, and of a manual attempt while its listener
// has no room.
const manualPause = time.Second

// atOnce is the maximum number of deliveries that one statement loads, and of attempts that one commit records.
const atOnce = 250

// deliverWorker makes first attempts, retries and manual attempts of deliveries.
type deliverWorker struct {
	river.WorkerDefaults[deliverArgs]

	store    Store
	caller   caller
	schedule webhook.RetrySchedule
	random   func() float64
	trace    func(context.Context) string
	limiters *limiterSet
	overflow *overflow
	recorder recorder

	// Concurrent jobs share the statement that loads and the commit that records.
	loads   batch.Group[string, *webhook.Outgoing]
	records batch.Group[webhook.EndedAttempt, webhook.Recorded]
}

func newDeliverWorker(config Config, recorder recorder) *deliverWorker {
	w := &deliverWorker{
		store: config.Store, caller: caller{
			sender: config.Sender, log: config.Log, now: config.Now, cancel: config.Store.Cancel,
			attempt: "webhook attempt", delivery: "webhook delivery", identity: identity,
		},
		schedule: config.Schedule, random: rand.Float64, trace: config.trace,
		limiters: newLimiterSet(config.Concurrency), recorder: recorder,
	}
	w.loads.Work, w.loads.Max, w.loads.Timeout = w.load, atOnce, recordTimeout
	w.records.Work, w.records.Max, w.records.Timeout = w.store.Record, atOnce, recordTimeout
	return w
}

// load returns the deliveries in the order of ids. Deliveries that no longer exist are nil.
func (w *deliverWorker) load(ctx context.Context, ids []string) ([]*webhook.Outgoing, error) {
	found, err := w.store.Load(ctx, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*webhook.Outgoing, len(found))
	for i := range found {
		byID[found[i].Delivery.ID] = &found[i]
	}
	loaded := make([]*webhook.Outgoing, len(ids))
	for i, id := range ids {
		loaded[i] = byID[id]
	}
	return loaded, nil
}

// Work processes all deliveries of a job concurrently. An error means that the server failed, not the listener. The job
// then runs again and skips recorded attempts.
func (w *deliverWorker) Work(ctx context.Context, job *river.Job[deliverArgs]) error {
	killpoint.At(killpoint.JobFetched)
	var failure error
	later := false
	for _, result := range w.attemptAll(ctx, job) {
		failure, later = errors.Join(failure, result.err), later || result.later
	}
	if failure == nil && later {
		return river.JobSnooze(manualPause)
	}
	return failure
}

// attemptAll makes the attempts that are due as the listener has slots for them. A delivery is loaded only when there is one,
// since any number may be waiting for one listener.
func (w *deliverWorker) attemptAll(ctx context.Context, job *river.Job[deliverArgs]) []outcome {
	ids, key := job.Args.deliveryIDs(), limiterKey{job.Args.WebhookID, parseQueue(job.Queue)}
	results, started := make([]outcome, len(ids)), 0
	var all sync.WaitGroup
	for range w.limiters.acquire(key, len(ids)).slots {
		i := started
		all.Go(func() { results[i] = w.attempt(ctx, key, ids[i], job.ScheduledAt) })
		started++
	}
	if started < len(ids) {
		result := w.park(ctx, job, started)
		for i := started; i < len(ids); i++ {
			results[i] = result
		}
	}
	all.Wait()
	return results
}

// attempt makes one attempt in a slot that the listener's limiter has granted. It returns a panic as an error, so that the
// job's other deliveries are not affected.
func (w *deliverWorker) attempt(ctx context.Context, key limiterKey, id string, scheduledAt time.Time) (result outcome) {
	defer func() {
		if reason := recover(); reason != nil {
			result.err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
		}
	}()
	var out webhook.Outgoing
	var attempt *webhook.Attempt
	refill := w.limiters.run(ctx, key, func(ctx context.Context) (timedOut bool) {
		out, attempt, result = w.call(ctx, id, key.queue, scheduledAt)
		return hasTimedOut(attempt)
	})
	if refill {
		w.overflow.signal()
	}
	if attempt != nil {
		result.err = w.record(ctx, out, *attempt)
	}
	return result
}

// park sets aside the deliveries from index started on. Manual attempts stay in their queue, which is short,
// because a user is waiting.
func (w *deliverWorker) park(ctx context.Context, job *river.Job[deliverArgs], started int) outcome {
	if parseQueue(job.Queue) == webhook.ManualQueue {
		return outcome{later: true}
	}
	return outcome{err: w.overflow.add(ctx, job, started)}
}

// call loads the delivery and makes its attempt, if one is due.
func (w *deliverWorker) call(
	ctx context.Context, id string, queue webhook.Queue, scheduledAt time.Time,
) (webhook.Outgoing, *webhook.Attempt, outcome) {
	out, err := w.loads.Do(ctx, id)
	if err != nil || out == nil {
		return webhook.Outgoing{}, nil, outcome{err: err}
	}
	attempt, result := w.caller.call(ctx, *out, queue, scheduledAt)
	return *out, attempt, result
}

// record stores and logs an attempt.
func (w *deliverWorker) record(ctx context.Context, out webhook.Outgoing, attempt webhook.Attempt) error {
	random, trace := w.random(), w.trace(ctx) // determined once, since the transaction may be retried
	endedAttempt := webhook.EndedAttempt{
		Delivery: out.Delivery, Attempt: attempt,
		Judge: func(now webhook.Delivery) webhook.Verdict {
			return w.schedule.Judge(now, attempt, random).WithTrace(trace)
		},
	}
	var recorded webhook.Recorded
	err := w.recorder.record(ctx, attempt.Duration(), func(ctx context.Context) (err error) {
		recorded, err = w.records.Do(ctx, endedAttempt)
		return err
	})
	if err == nil {
		killpoint.At(killpoint.AttemptClosed)
	}
	w.caller.logAttempt(ctx, out, attempt, recorded, err)
	return err
}

func identity(d webhook.Delivery) []any {
	return []any{
		slog.String("delivery", d.ID), slog.String("event", d.EventID), slog.String("webhook", d.WebhookID),
		slog.String("seller", string(d.SellerID)), slog.String("type", string(d.Type)),
	}
}
