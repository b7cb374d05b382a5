package jobs

import (
	"slices"
	"time"

	"github.com/riverqueue/river"

	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

// fetchCooldown is the shortest time between two fetches.
const fetchCooldown = 2 * time.Millisecond

// maxRuns is the maximum number of runs of a job. A job is repeated only if the server failed or was killed; failed
// attempts are counted in Ticketgate's tables. If River discards a job, the sweep inserts a new one.
const maxRuns = 1000

// laneQueues maps each lane to its queue. Retries have their own, so that an unresponsive listener never delays first
// attempts.
var laneQueues = map[webhook.Lane]string{
	webhook.FirstLane:  "webhook_first",
	webhook.RetryLane:  "webhook_retry",
	webhook.ByHandLane: "webhook_by_hand",
}

// crowdQueue is the queue for first attempts of webhooks with very many, so that they do not delay other webhooks.
const crowdQueue = "webhook_crowd"

// handOverQueue is the queue of scheduled invoice hand-overs. It is separate so that they do not delay first attempts
// of webhooks.
const handOverQueue = "invoice_hand_over"

func laneOf(queue string) webhook.Lane {
	if queue == crowdQueue || queue == handOverQueue {
		return webhook.FirstLane // its worker also makes scheduled attempts that are due
	}
	for lane, name := range laneQueues {
		if name == queue {
			return lane
		}
	}
	return webhook.RetryLane
}

// perJob is the number of deliveries of one webhook that share a job.
const perJob = 25

// deliverArgs identifies the deliveries of a job. Processes of older versions attempt only the first; the sweep finds
// the others.
type deliverArgs struct {
	DeliveryID string   `json:"delivery_id"`
	More       []string `json:"more,omitempty"`
	WebhookID  string   `json:"webhook_id"`
	// Traces are the traces of the requests that caused the deliveries.
	Traces []string `json:"traces,omitempty"`
}

func (a deliverArgs) deliveryIDs() []string { return append([]string{a.DeliveryID}, a.More...) }

// of returns a copy of the arguments for only these deliveries.
func (a deliverArgs) of(ids []string) deliverArgs {
	a.DeliveryID, a.More = ids[0], ids[1:]
	return a
}

// deliverKind is the kind of all delivery jobs. It must not change: River discards jobs of a kind that a process does
// not know.
const deliverKind = "deliver_webhook"

// Kind names the job in the database.
func (deliverArgs) Kind() string { return deliverKind }

// Queue inserts jobs within the transactions of changes.
type Queue struct{ crowds *crowds }

// NewQueue returns a queue. It needs no connection of its own.
func NewQueue() *Queue {
	return &Queue{newCrowds(time.Now)} //nolint:forbidigo // no rule depends on this clock
}

// Enqueue returns a statement and its arguments that insert the jobs of deliveries. The jobs run only after its
// transaction has committed.
func (q *Queue) Enqueue(wakeUps []webhook.WakeUp) (text string, args []any, err error) {
	args, err = insertion(insertions(wakeUps, q.queueOf))
	if err == nil {
		killpoint.At(stepOf(wakeUps[0]))
	}
	return insertJobs, args, err
}

// queueOf returns the queue of a delivery that was just created.
func (q *Queue) queueOf(wakeUp webhook.WakeUp) string {
	if wakeUp.HandOver {
		return inLane(wakeUp)
	}
	return q.crowds.queueOf(wakeUp)
}

// stepOf returns the kill point to pass when a job is inserted.
func stepOf(wakeUp webhook.WakeUp) killpoint.Point {
	if wakeUp.Lane == webhook.RetryLane {
		return killpoint.RetryScheduled
	}
	return killpoint.BeforeCommit
}

// inLane returns the queue of a delivery that returns to the queue: its lane's, or handOverQueue.
func inLane(wakeUp webhook.WakeUp) string {
	if wakeUp.HandOver && wakeUp.Lane != webhook.ByHandLane {
		return handOverQueue
	}
	return laneQueues[wakeUp.Lane]
}

// insertions groups deliveries into jobs. Deliveries with the same webhook, queue and time share jobs of up to perJob.
// Each invoice has a job of its own.
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

// withTrace adds trace to a job's traces, without duplicates.
func withTrace(traces []string, trace string) []string {
	if trace == "" || slices.Contains(traces, trace) {
		return traces
	}
	return append(traces, trace)
}
