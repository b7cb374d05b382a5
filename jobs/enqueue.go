package jobs

import (
	"context"
	"database/sql"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"

	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

// fetchCooldown is how soon after a fetch the next may come. It is set on clients that only insert as well: within it
// they leave notifications out, and the job would wait for the next poll.
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

func laneOf(queue string) webhook.Lane {
	if queue == crowdQueue {
		return webhook.FirstLane
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
}

func (a deliverArgs) deliveryIDs() []string { return append([]string{a.DeliveryID}, a.More...) }

// deliverKind is the one kind of these jobs. A process of another version must know it, or would discard them.
const deliverKind = "deliver_webhook"

// Kind names the job in the database.
func (deliverArgs) Kind() string { return deliverKind }

// Queue inserts jobs in the transactions of changes.
type Queue struct {
	client *river.Client[*sql.Tx]
	crowds *crowds
	last   atomic.Int64 // when jobs were last inserted, in nanoseconds
}

// NewQueue prepares the insertion of jobs. It needs no connection of its own.
func NewQueue(log *slog.Logger) (*Queue, error) {
	client, err := river.NewClient(riverdatabasesql.New(nil), &river.Config{FetchCooldown: fetchCooldown, Logger: log})
	return &Queue{client: client, crowds: newCrowds(time.Now)}, err //nolint:forbidigo // no rule depends on when
}

// Enqueue inserts the jobs of wake-ups; they are worked after the transaction has committed, and never without it.
func (q *Queue) Enqueue(ctx context.Context, tx *sql.Tx, wakeUps []webhook.WakeUp) error {
	jobs := insertions(wakeUps, q.crowds.queueOf)
	if _, err := q.client.InsertManyFastTx(ctx, tx, jobs); err != nil {
		return err
	}
	killpoint.At(stepOf(wakeUps[0]))
	now := time.Now().UnixNano() //nolint:forbidigo // no rule depends on when
	if now-q.last.Swap(now) > 2*fetchCooldown.Nanoseconds() {
		return nil
	}
	// River's client has sent no notification so soon after the last one, which these jobs may have come too late for.
	_, err := tx.ExecContext(ctx, `SELECT pg_notify(current_schema() || '.river_insert', '{"queue": "' || name || '"}')
		FROM unnest($1::text[]) AS name`, pgx.QueryExecModeExec, immediate(jobs))
	return err
}

// stepOf is the step of a delivery at which its job is inserted.
func stepOf(wakeUp webhook.WakeUp) killpoint.Point {
	if wakeUp.Lane == webhook.RetryLane {
		return killpoint.RetryScheduled
	}
	return killpoint.BeforeCommit
}

// immediate are the queues in which jobs are due at once.
func immediate(jobs []river.InsertManyParams) []string {
	var queues []string
	for _, job := range jobs {
		if queue := job.InsertOpts.Queue; job.InsertOpts.ScheduledAt.IsZero() && !slices.Contains(queues, queue) {
			queues = append(queues, queue)
		}
	}
	return queues
}

// inLane is the queue of a wake-up that comes back: a lane's.
func inLane(wakeUp webhook.WakeUp) string { return laneQueues[wakeUp.Lane] }

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
			continue
		}
		job := river.InsertManyParams{InsertOpts: &river.InsertOpts{Queue: of.queue, ScheduledAt: of.at, MaxAttempts: maxRuns}}
		if wakeUp.HandOver {
			job.Args = handOverArgs{InvoiceID: wakeUp.DeliveryID}
		} else {
			args := &deliverArgs{DeliveryID: wakeUp.DeliveryID, WebhookID: wakeUp.WebhookID}
			open[of], job.Args = args, args
		}
		jobs = append(jobs, job)
	}
	return jobs
}
