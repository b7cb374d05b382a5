package jobs

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"

	"ticketgate/domain/webhook"
)

// fetchCooldown is how soon after a fetch the next may come. It is set on clients that only insert as well: within it
// they leave notifications out, and the job would wait for the next poll.
const fetchCooldown = 5 * time.Millisecond

// maxRuns is how often a job may run. Attempts are counted in our tables, a job runs again only when the server failed
// or was killed; should it be discarded all the same, the sweep makes a new one.
const maxRuns = 1000

// laneQueues are the queues, one for each lane, so that retries of a dead listener never delay a first attempt.
var laneQueues = map[webhook.Lane]string{
	webhook.FirstLane:  "webhook_first",
	webhook.RetryLane:  "webhook_retry",
	webhook.ByHandLane: "webhook_by_hand",
}

func laneOf(queue string) webhook.Lane {
	for lane, name := range laneQueues {
		if name == queue {
			return lane
		}
	}
	return webhook.RetryLane
}

// deliverArgs is all that a job holds: what it works on is read when it runs.
type deliverArgs struct {
	DeliveryID string `json:"delivery_id"`
}

// deliverKind is the one kind of these jobs. A process of another version must know it, or would discard them.
const deliverKind = "deliver_webhook"

// Kind names the job in the database.
func (deliverArgs) Kind() string { return deliverKind }

// Queue inserts jobs in the transactions of changes.
type Queue struct{ client *river.Client[*sql.Tx] }

// NewQueue prepares the insertion of jobs. It needs no connection of its own.
func NewQueue(log *slog.Logger) (*Queue, error) {
	client, err := river.NewClient(riverdatabasesql.New(nil), &river.Config{FetchCooldown: fetchCooldown, Logger: log})
	return &Queue{client}, err
}

// Enqueue inserts one job a wake-up; they are worked after the transaction has committed, and never without it.
func (q *Queue) Enqueue(ctx context.Context, tx *sql.Tx, wakeUps []webhook.WakeUp) error {
	_, err := q.client.InsertManyFastTx(ctx, tx, insertions(wakeUps))
	return err
}

func insertions(wakeUps []webhook.WakeUp) []river.InsertManyParams {
	params := make([]river.InsertManyParams, len(wakeUps))
	for i, wakeUp := range wakeUps {
		var args river.JobArgs = deliverArgs{DeliveryID: wakeUp.DeliveryID}
		if wakeUp.HandOver {
			args = handOverArgs{InvoiceID: wakeUp.DeliveryID}
		}
		params[i] = river.InsertManyParams{
			Args: args,
			InsertOpts: &river.InsertOpts{
				Queue: laneQueues[wakeUp.Lane], ScheduledAt: wakeUp.At, MaxAttempts: maxRuns,
			},
		}
	}
	return params
}
