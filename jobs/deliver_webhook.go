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

// pauseByHand is how long a scheduled attempt steps aside for one by hand, and one by hand for a listener without room.
const pauseByHand = time.Second

// atOnce bounds how many deliveries one statement loads, and how many attempts one commit records.
const atOnce = 250

// deliverWorker makes attempts of deliveries. First attempts, retries and attempts by hand are the same to it.
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

	// What many jobs ask at the same time is one statement, and what they record one commit.
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

// load answers with nil where the delivery's time of keeping is over.
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

// Work follows a job's wake-ups, all at once. An error means that the server failed, not the listener, and that the job runs
// again: what was done then is seen to be done.
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

// each makes the attempts that are due, as their listener has room for calls. Nothing is loaded before: there may be any
// number of deliveries that wait for a listener.
func (w *deliverWorker) each(ctx context.Context, job *river.Job[deliverArgs]) []ended {
	ids, name := job.Args.deliveryIDs(), gateName{job.Args.WebhookID, laneOf(job.Queue)}
	ends, begun := make([]ended, len(ids)), 0
	var all sync.WaitGroup
	for range w.gates.enter(name, len(ids)).places {
		i := begun
		all.Go(func() { ends[i] = w.wake(ctx, name, ids[i], job.ScheduledAt) })
		begun++
	}
	if begun < len(ids) {
		end := w.withoutRoom(ctx, job, begun)
		for i := begun; i < len(ids); i++ {
			ends[i] = end
		}
	}
	all.Wait()
	return ends
}

// wake makes one attempt in the place that it has been given. A panic is an error of this delivery alone.
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

// withoutRoom ends the wake-ups of a job that found no place, which are all but the first ones. One by hand stays: somebody waits
// for it, and its queue is short.
func (w *deliverWorker) withoutRoom(ctx context.Context, job *river.Job[deliverArgs], begun int) ended {
	if laneOf(job.Queue) == webhook.ByHandLane {
		return ended{later: true}
	}
	return ended{err: w.aside.put(ctx, job, begun)}
}

// call loads the delivery and makes the attempt that it is time for, if any.
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
	random, trace := w.random(), w.trace(ctx) // once: the transaction may run again
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
