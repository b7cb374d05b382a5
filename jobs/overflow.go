package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"ticketgate/domain/batch"
	"ticketgate/domain/webhook"
)

// overflowBatch is the maximum number of jobs whose deliveries one statement sets aside.
const overflowBatch = 200

// overflow stores deliveries that became due while their listener had no capacity. Each becomes a row in set_aside, and its
// job ends. When there is capacity, in any process, the rows become jobs again.
type overflow struct {
	pool     *pgxpool.Pool
	client   *river.Client[pgx.Tx]
	limiters *limiterSet
	log      *slog.Logger
	adds     batch.Group[overflowPart, struct{}]
	ready    chan struct{} // holds one token when attempts may come back
}

// overflowPart is the part of a job that is set aside: one row per delivery. left has the arguments that remain for the
// job, or is nil if no delivery remains.
type overflowPart struct {
	job  *rivertype.JobRow
	left *string
	rows []overflowRow
}

type overflowRow struct {
	webhookID, deliveryID string
	jobID                 int64
}

func newOverflow(pool *pgxpool.Pool, client *river.Client[pgx.Tx], s *limiterSet, log *slog.Logger) *overflow {
	o := &overflow{pool: pool, client: client, limiters: s, log: log, ready: make(chan struct{}, 1)}
	o.adds.Work, o.adds.Max, o.adds.Timeout = o.insert, overflowBatch, recordTimeout
	return o
}

// add sets aside the deliveries of a job from index started on. The earlier ones are being attempted.
func (o *overflow) add(ctx context.Context, job *river.Job[deliverArgs], started int) error {
	ids := job.Args.deliveryIDs()
	part := overflowPart{job: job.JobRow}
	if started > 0 {
		encoded, err := json.Marshal(job.Args.of(ids[:started]))
		if err != nil {
			return err
		}
		left := string(encoded)
		part.left = &left
	}
	for _, id := range ids[started:] {
		part.rows = append(part.rows, overflowRow{job.Args.WebhookID, id, job.ID})
	}
	_, err := o.adds.Do(ctx, part)
	if err == nil {
		o.limiters.setOverflow(true, job.Args.WebhookID)
		o.signal()
	}
	return err
}

// insert sets aside concurrent parts in one statement. They are sorted to prevent deadlocks between processes.
func (o *overflow) insert(ctx context.Context, parts []overflowPart) ([]struct{}, error) {
	slices.SortFunc(parts, func(x, y overflowPart) int { return cmp.Compare(x.job.ID, y.job.ID) })
	var rows []overflowRow
	jobs, runs, left := make([]int64, len(parts)), make([]int, len(parts)), make([]*string, len(parts))
	for i, part := range parts {
		jobs[i], runs[i], left[i] = part.job.ID, part.job.Attempt, part.left
		rows = append(rows, part.rows...)
	}
	slices.SortFunc(rows, func(x, y overflowRow) int {
		return cmp.Or(cmp.Compare(x.webhookID, y.webhookID), cmp.Compare(x.deliveryID, y.deliveryID))
	})
	of, webhooks, deliveries := make([]int64, len(rows)), make([]string, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		of[i], webhooks[i], deliveries[i] = row.jobID, row.webhookID, row.deliveryID
	}
	_, err := o.pool.Exec(ctx, insertOverflow, jobs, runs, left, of, webhooks, deliveries)
	return make([]struct{}, len(parts)), err
}

// signal signals that attempts may return.
func (o *overflow) signal() {
	select {
	case o.ready <- struct{}{}:
	default: // already signaled
	}
}

// refill creates jobs for as many deliveries as there is capacity for, oldest first. It deletes their rows in the same
// transaction.
func (o *overflow) refill(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	sizes := o.limiters.refillSizes()
	if len(sizes) == 0 {
		return nil
	}
	var webhooks []string
	var numbers []int
	for id, number := range sizes {
		webhooks, numbers = append(webhooks, id), append(numbers, number)
	}
	o.limiters.setOverflow(false, webhooks...) // before the query, because deliveries set aside from now on set it again
	return pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		found, err := tx.Query(ctx, `DELETE FROM set_aside s USING (
				SELECT a.* FROM unnest($1::text[], $2::int[]) AS w (id, number), LATERAL (
					SELECT webhook_id, delivery_id FROM set_aside WHERE webhook_id = w.id
					ORDER BY delivery_id LIMIT w.number FOR UPDATE SKIP LOCKED) a) taken
			WHERE s.webhook_id = taken.webhook_id AND s.delivery_id = taken.delivery_id
			RETURNING s.webhook_id, s.delivery_id::text`, webhooks, numbers)
		if err != nil {
			return err
		}
		jobs, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (webhook.Job, error) {
			job := webhook.Job{Queue: webhook.RetryQueue}
			err := row.Scan(&job.WebhookID, &job.DeliveryID)
			return job, err
		})
		if err != nil || len(jobs) == 0 {
			return err
		}
		for _, job := range jobs {
			if sizes[job.WebhookID]--; sizes[job.WebhookID] == 0 {
				o.limiters.setOverflow(true, job.WebhookID) // there may be more
			}
		}
		_, err = o.client.InsertManyFastTx(ctx, tx, insertions(jobs, queueName))
		return err
	})
}

// find finds the webhooks with deliveries that any process has set aside.
func (o *overflow) find(ctx context.Context) error {
	found, err := o.pool.Query(ctx, `WITH RECURSIVE behind AS (
			SELECT min(webhook_id) AS id FROM set_aside
			UNION ALL SELECT (SELECT min(webhook_id) FROM set_aside WHERE webhook_id > behind.id) FROM behind WHERE id IS NOT NULL)
		SELECT id FROM behind WHERE id IS NOT NULL`)
	if err != nil {
		return err
	}
	webhooks, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		return err
	}
	o.limiters.setOverflow(true, webhooks...)
	o.limiters.removeIdle()
	o.signal()
	return nil
}
