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

// maxRuns is the maximum number of runs of a job. A job is repeated only if the server failed or was killed. Failed
// attempts are counted in Ticketgate's tables. If River discards a job, the sweep inserts a new one.
const maxRuns = 1000

// riverQueues maps each queue to its name in River. Retries have their own, so that an unresponsive listener never delays first
// attempts.
var riverQueues = map[webhook.Queue]string{
	webhook.FirstQueue:  "webhook_first",
	webhook.RetryQueue:  "webhook_retry",
	webhook.ManualQueue: "webhook_by_hand",
}

// bulkQueue is the queue for first attempts of webhooks with very many, so that they do not delay other webhooks.
const bulkQueue = "webhook_crowd"

// handOverQueue is the queue of scheduled invoice hand-overs. It is separate so that they do not delay first attempts
// of webhooks.
const handOverQueue = "invoice_hand_over"

func parseQueue(queue string) webhook.Queue {
	if queue == bulkQueue || queue == handOverQueue {
		return webhook.FirstQueue // its worker also makes scheduled attempts that are due
	}
	for lane, name := range riverQueues {
		if name == queue {
			return lane
		}
	}
	return webhook.RetryQueue
}

// perJob is the number of deliveries of one webhook that share a job.
const perJob = 25

// deliverArgs identifies the deliveries of a job. Processes of older versions attempt only the first. The sweep finds
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

// Enqueuer inserts jobs within the transactions of changes.
type Enqueuer struct{ bulk *bulkDetector }

// NewEnqueuer returns an Enqueuer. It needs no connection of its own.
func NewEnqueuer() *Enqueuer {
	return &Enqueuer{newBulkDetector(time.Now)} //nolint:forbidigo // no rule depends on this clock
}

// Enqueue returns a statement and its arguments that insert the jobs of deliveries. The jobs run only after its
// transaction has committed.
func (e *Enqueuer) Enqueue(jobs []webhook.Job) (text string, args []any, err error) {
	args, err = insertion(insertions(jobs, e.queueFor))
	if err == nil {
		killpoint.At(stepOf(jobs[0]))
	}
	return insertJobs, args, err
}

// queueFor returns the queue of a delivery that was just created.
func (e *Enqueuer) queueFor(job webhook.Job) string {
	if job.HandOver {
		return queueName(job)
	}
	return e.bulk.queueFor(job)
}

// stepOf returns the kill point to pass when a job is inserted.
func stepOf(job webhook.Job) killpoint.Point {
	if job.Queue == webhook.RetryQueue {
		return killpoint.RetryScheduled
	}
	return killpoint.BeforeCommit
}

// queueName returns the queue of a delivery that returns to the queue: its own, or handOverQueue.
func queueName(job webhook.Job) string {
	if job.HandOver && job.Queue != webhook.ManualQueue {
		return handOverQueue
	}
	return riverQueues[job.Queue]
}

// insertions groups deliveries into jobs. Deliveries with the same webhook, queue and time share jobs of up to perJob.
// Each invoice has a job of its own.
func insertions(jobs []webhook.Job, queueOf func(webhook.Job) string) []river.InsertManyParams {
	type kind struct {
		webhookID, queue string
		at               time.Time
	}
	open := map[kind]*deliverArgs{}
	var inserts []river.InsertManyParams
	for _, job := range jobs {
		of := kind{job.WebhookID, queueOf(job), job.At}
		if args := open[of]; args != nil && !job.HandOver && len(args.More) < perJob-1 {
			args.More = append(args.More, job.DeliveryID)
			args.Traces = withTrace(args.Traces, job.Trace)
			continue
		}
		params := river.InsertManyParams{InsertOpts: &river.InsertOpts{Queue: of.queue, ScheduledAt: of.at, MaxAttempts: maxRuns}}
		if job.HandOver {
			params.Args = handOverArgs{InvoiceID: job.DeliveryID, Traces: withTrace(nil, job.Trace)}
		} else {
			args := &deliverArgs{DeliveryID: job.DeliveryID, WebhookID: job.WebhookID, Traces: withTrace(nil, job.Trace)}
			open[of], params.Args = args, args
		}
		inserts = append(inserts, params)
	}
	return inserts
}

// withTrace adds trace to a job's traces, without duplicates.
func withTrace(traces []string, trace string) []string {
	if trace == "" || slices.Contains(traces, trace) {
		return traces
	}
	return append(traces, trace)
}
