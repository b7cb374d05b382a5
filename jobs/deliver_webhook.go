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

// pauseByHand is the wait of a scheduled attempt while a manual one runs, and of a manual attempt while its listener
// has no room.
const pauseByHand = time.Second

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
	gates    *gates
	aside    *aside
	keeper   keeper

	// Concurrent jobs share the statement that loads and the commit that records.
	loads   batch.Group[string, *webhook.Outgoing]
	records batch.Group[webhook.Made, webhook.Recorded]
}

func newDeliverWorker(config Config, keeper keeper) *deliverWorker {
	w := &deliverWorker{
		store: config.Store, caller: caller{
			sender: config.Sender, log: config.Log, now: config.Now, cancel: config.Store.Cancel,
			attempt: "webhook attempt", delivery: "webhook delivery", identity: identity,
		},
		schedule: config.Schedule, random: rand.Float64, trace: config.trace, gates: newGates(config.Concurrency), keeper: keeper,
	}
	w.loads.Work, w.loads.Most, w.loads.Timeout = w.load, atOnce, recordTimeout
	w.records.Work, w.records.Most, w.records.Timeout = w.store.Record, atOnce, recordTimeout
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
	for _, end := range w.each(ctx, job) {
		failure, later = errors.Join(failure, end.err), later || end.later
	}
	if failure == nil && later {
		return river.JobSnooze(pauseByHand)
	}
	return failure
}

// each makes the attempts that are due as the listener has room for them. A delivery is loaded only when there is room,
// since any number may be waiting for one listener.
func (w *deliverWorker) each(ctx context.Context, job *river.Job[deliverArgs]) []ended {
	ids, name := job.Args.deliveryIDs(), gateName{job.Args.WebhookID, laneOf(job.Queue)}
	ends, started := make([]ended, len(ids)), 0
	var all sync.WaitGroup
	for range w.gates.enter(name, len(ids)).places {
		i := started
		all.Go(func() { ends[i] = w.wake(ctx, name, ids[i], job.ScheduledAt) })
		started++
	}
	if started < len(ids) {
		end := w.withoutRoom(ctx, job, started)
		for i := started; i < len(ids); i++ {
			ends[i] = end
		}
	}
	all.Wait()
	return ends
}

// wake makes one attempt in a place that the listener's gate has granted. It returns a panic as an error, so that the
// job's other deliveries are not affected.
func (w *deliverWorker) wake(ctx context.Context, name gateName, id string, meant time.Time) (end ended) {
	defer func() {
		if reason := recover(); reason != nil {
			end.err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
		}
	}()
	var out webhook.Outgoing
	var attempt *webhook.Attempt
	room := w.gates.pass(ctx, name, func(ctx context.Context) (timedOut bool) {
		out, attempt, end = w.call(ctx, id, name.lane, meant)
		return hasTimedOut(attempt)
	})
	if room {
		w.aside.hasRoom()
	}
	if attempt != nil {
		end.err = w.record(ctx, out, *attempt)
	}
	return end
}

// withoutRoom sets aside the deliveries from index started on. Manual attempts stay in their queue, which is short,
// because a user is waiting.
func (w *deliverWorker) withoutRoom(ctx context.Context, job *river.Job[deliverArgs], started int) ended {
	if laneOf(job.Queue) == webhook.ByHandLane {
		return ended{later: true}
	}
	return ended{err: w.aside.put(ctx, job, started)}
}

// call loads the delivery and makes its attempt, if one is due.
func (w *deliverWorker) call(
	ctx context.Context, id string, lane webhook.Lane, meant time.Time,
) (webhook.Outgoing, *webhook.Attempt, ended) {
	out, err := w.loads.Do(ctx, id)
	if err != nil || out == nil {
		return webhook.Outgoing{}, nil, ended{err: err}
	}
	attempt, end := w.caller.call(ctx, *out, lane, meant)
	return *out, attempt, end
}

// record stores and logs an attempt.
func (w *deliverWorker) record(ctx context.Context, out webhook.Outgoing, attempt webhook.Attempt) error {
	random, trace := w.random(), w.trace(ctx) // determined once, since the transaction may be retried
	made := webhook.Made{
		Of: out.Delivery, Attempt: attempt,
		Judge: func(now webhook.Delivery) webhook.Verdict { return w.schedule.Judge(now, attempt, random).In(trace) },
	}
	var recorded webhook.Recorded
	err := w.keeper.keep(ctx, attempt.Duration(), func(ctx context.Context) (err error) {
		recorded, err = w.records.Do(ctx, made)
		return err
	})
	if err == nil {
		killpoint.At(killpoint.AttemptClosed)
	}
	w.caller.tell(ctx, out, attempt, recorded, err)
	return err
}

func identity(d webhook.Delivery) []any {
	return []any{
		slog.String("delivery", d.ID), slog.String("event", d.EventID), slog.String("webhook", d.WebhookID),
		slog.String("seller", string(d.SellerID)), slog.String("type", string(d.Type)),
	}
}
