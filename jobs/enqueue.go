package jobs

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

// fetchCooldown is how soon after a fetch the next may come.
const fetchCooldown = 2 * time.Millisecond

// maxRuns is how often a job may run. Attempts are counted in our tables, a job runs again only when the server failed
// or was killed; should it be discarded all the same, the sweep makes a new one.
const maxRuns = 1000

// laneQueues are the queues, one for each lane, so that retries of a dead listener never delay a first attempt.
var laneQueues = map[webhook.Lane]string{
	webhook.FirstLane:  "webhook_first",
	webhook.RetryLane:  "webhook_retry",
	webhook.ByHandLane: "webhook_by_hand",
}

// crowdQueue has the first attempts of webhooks that are given very many, so that they never stand before those of others.
const crowdQueue = "webhook_crowd"

// handOverQueue has the attempts of the schedule to hand invoices over: no first attempt of a webhook waits behind them.
const handOverQueue = "invoice_hand_over"

func laneOf(queue string) webhook.Lane {
	if queue == crowdQueue || queue == handOverQueue {
		return webhook.FirstLane // a further attempt is made as well, when it is due
	}
	for lane, name := range laneQueues {
		if name == queue {
			return lane
		}
	}
	return webhook.RetryLane
}

// perJob is how many deliveries of one webhook share a job.
const perJob = 25

// deliverArgs is all that a job holds: what it works on is read when it runs. A process of an older version knows the first
// delivery only; the sweep finds the others.
type deliverArgs struct {
	DeliveryID string   `json:"delivery_id"`
	More       []string `json:"more,omitempty"`
	WebhookID  string   `json:"webhook_id"`
	// Traces are what the job comes of, for those who watch.
	Traces []string `json:"traces,omitempty"`
}

func (a deliverArgs) deliveryIDs() []string { return append([]string{a.DeliveryID}, a.More...) }

// of are the same for these deliveries alone.
func (a deliverArgs) of(ids []string) deliverArgs {
	a.DeliveryID, a.More = ids[0], ids[1:]
	return a
}

// deliverKind is the one kind of these jobs. A process of another version must know it, or would discard them.
const deliverKind = "deliver_webhook"

// Kind names the job in the database.
func (deliverArgs) Kind() string { return deliverKind }

// Queue inserts jobs in the transactions of changes.
type Queue struct{ crowds *crowds }

// NewQueue prepares the insertion of jobs. It needs no connection of its own.
func NewQueue() *Queue {
	return &Queue{newCrowds(time.Now)} //nolint:forbidigo // no rule depends on when
}

// Enqueue inserts the jobs of wake-ups; they are worked after the transaction has committed, and never without it.
func (q *Queue) Enqueue(ctx context.Context, tx *sql.Tx, wakeUps []webhook.WakeUp) error {
	err := insertInTx(ctx, tx, insertions(wakeUps, q.queueOf))
	if err == nil {
		killpoint.At(stepOf(wakeUps[0]))
	}
	return err
}

// queueOf is the queue in which a new wake-up stands.
func (q *Queue) queueOf(wakeUp webhook.WakeUp) string {
	if wakeUp.HandOver {
		return inLane(wakeUp)
	}
	return q.crowds.queueOf(wakeUp)
}

// stepOf is the step of a delivery at which its job is inserted.
func stepOf(wakeUp webhook.WakeUp) killpoint.Point {
	if wakeUp.Lane == webhook.RetryLane {
		return killpoint.RetryScheduled
	}
	return killpoint.BeforeCommit
}

// inLane is the queue of a wake-up that comes back: a lane's, or that of hand-overs.
func inLane(wakeUp webhook.WakeUp) string {
	if wakeUp.HandOver && wakeUp.Lane != webhook.ByHandLane {
		return handOverQueue
	}
	return laneQueues[wakeUp.Lane]
}

// insertions make jobs of wake-ups: those of one webhook, queue and time share a job, up to perJob, and each invoice has its
// own.
func insertions(wakeUps []webhook.WakeUp, queueOf func(webhook.WakeUp) string) []river.InsertManyParams {
	type kind struct {
		webhookID, queue string
		at               time.Time
	}
	open := map[kind]*deliverArgs{}
	var jobs []river.InsertManyParams
	for _, wakeUp := range wakeUps {
		of := kind{wakeUp.WebhookID, queueOf(wakeUp), wakeUp.At}
		if args := open[of]; args != nil && !wakeUp.HandOver && len(args.More) < perJob-1 {
			args.More = append(args.More, wakeUp.DeliveryID)
			args.Traces = withTrace(args.Traces, wakeUp.Trace)
			continue
		}
		job := river.InsertManyParams{InsertOpts: &river.InsertOpts{Queue: of.queue, ScheduledAt: of.at, MaxAttempts: maxRuns}}
		if wakeUp.HandOver {
			job.Args = handOverArgs{InvoiceID: wakeUp.DeliveryID, Traces: withTrace(nil, wakeUp.Trace)}
		} else {
			args := &deliverArgs{DeliveryID: wakeUp.DeliveryID, WebhookID: wakeUp.WebhookID, Traces: withTrace(nil, wakeUp.Trace)}
			open[of], job.Args = args, args
		}
		jobs = append(jobs, job)
	}
	return jobs
}

// withTrace adds the trace of a wake-up to those of its job, which is linked to each.
func withTrace(traces []string, trace string) []string {
	if trace == "" || slices.Contains(traces, trace) {
		return traces
	}
	return append(traces, trace)
}
