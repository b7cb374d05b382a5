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

// asideAtOnce is the maximum number of jobs whose deliveries one statement sets aside.
const asideAtOnce = 200

// aside stores deliveries that became due while their listener had no room. Each becomes a row in set_aside, and its
// job ends. When there is room, in any process, the rows become jobs again.
type aside struct {
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
	gates  *gates
	log    *slog.Logger
	puts   batch.Group[asidePart, struct{}]
	room   chan struct{} // holds one token when attempts may come back
}

// asidePart is the part of a job that is set aside: one row per delivery. left has the arguments that remain for the
// job, or is nil if no delivery remains.
type asidePart struct {
	job  *rivertype.JobRow
	left *string
	rows []asideRow
}

type asideRow struct {
	webhookID, deliveryID string
	jobID                 int64
}

func newAside(pool *pgxpool.Pool, client *river.Client[pgx.Tx], g *gates, log *slog.Logger) *aside {
	a := &aside{pool: pool, client: client, gates: g, log: log, room: make(chan struct{}, 1)}
	a.puts.Work, a.puts.Most, a.puts.Timeout = a.insert, asideAtOnce, recordTimeout
	return a
}

// put sets aside the deliveries of a job from index started on. The earlier ones are being attempted.
func (a *aside) put(ctx context.Context, job *river.Job[deliverArgs], started int) error {
	ids := job.Args.deliveryIDs()
	part := asidePart{job: job.JobRow}
	if started > 0 {
		encoded, err := json.Marshal(job.Args.of(ids[:started]))
		if err != nil {
			return err
		}
		left := string(encoded)
		part.left = &left
	}
	for _, id := range ids[started:] {
		part.rows = append(part.rows, asideRow{job.Args.WebhookID, id, job.ID})
	}
	_, err := a.puts.Do(ctx, part)
	if err == nil {
		a.gates.setBehind(true, job.Args.WebhookID)
		a.hasRoom()
	}
	return err
}

// insert sets aside concurrent parts in one statement. They are sorted to prevent deadlocks between processes.
func (a *aside) insert(ctx context.Context, parts []asidePart) ([]struct{}, error) {
	slices.SortFunc(parts, func(x, y asidePart) int { return cmp.Compare(x.job.ID, y.job.ID) })
	var rows []asideRow
	jobs, runs, left := make([]int64, len(parts)), make([]int, len(parts)), make([]*string, len(parts))
	for i, part := range parts {
		jobs[i], runs[i], left[i] = part.job.ID, part.job.Attempt, part.left
		rows = append(rows, part.rows...)
	}
	slices.SortFunc(rows, func(x, y asideRow) int {
		return cmp.Or(cmp.Compare(x.webhookID, y.webhookID), cmp.Compare(x.deliveryID, y.deliveryID))
	})
	of, webhooks, deliveries := make([]int64, len(rows)), make([]string, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		of[i], webhooks[i], deliveries[i] = row.jobID, row.webhookID, row.deliveryID
	}
	_, err := a.pool.Exec(ctx, insertAside, jobs, runs, left, of, webhooks, deliveries)
	return make([]struct{}, len(parts)), err
}

// hasRoom signals that attempts may return.
func (a *aside) hasRoom() {
	select {
	case a.room <- struct{}{}:
	default: // already signaled
	}
}

// bringBack creates jobs for as many deliveries as there is room for, oldest first. It deletes their rows in the same
// transaction.
func (a *aside) bringBack(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	wanted := a.gates.returning()
	if len(wanted) == 0 {
		return nil
	}
	var webhooks []string
	var numbers []int
	for id, number := range wanted {
		webhooks, numbers = append(webhooks, id), append(numbers, number)
	}
	a.gates.setBehind(false, webhooks...) // before the query, because deliveries set aside from now on set it again
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		found, err := tx.Query(ctx, `DELETE FROM set_aside s USING (
				SELECT a.* FROM unnest($1::text[], $2::int[]) AS w (id, number), LATERAL (
					SELECT webhook_id, delivery_id FROM set_aside WHERE webhook_id = w.id
					ORDER BY delivery_id LIMIT w.number FOR UPDATE SKIP LOCKED) a) taken
			WHERE s.webhook_id = taken.webhook_id AND s.delivery_id = taken.delivery_id
			RETURNING s.webhook_id, s.delivery_id::text`, webhooks, numbers)
		if err != nil {
			return err
		}
		wakeUps, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (webhook.WakeUp, error) {
			back := webhook.WakeUp{Lane: webhook.RetryLane}
			err := row.Scan(&back.WebhookID, &back.DeliveryID)
			return back, err
		})
		if err != nil || len(wakeUps) == 0 {
			return err
		}
		for _, back := range wakeUps {
			if wanted[back.WebhookID]--; wanted[back.WebhookID] == 0 {
				a.gates.setBehind(true, back.WebhookID) // there may be more
			}
		}
		_, err = a.client.InsertManyFastTx(ctx, tx, insertions(wakeUps, inLane))
		return err
	})
}

// look finds the webhooks with deliveries that any process has set aside.
func (a *aside) look(ctx context.Context) error {
	found, err := a.pool.Query(ctx, `WITH RECURSIVE behind AS (
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
	a.gates.setBehind(true, webhooks...)
	a.gates.forget()
	a.hasRoom()
	return nil
}
