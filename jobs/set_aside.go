package jobs

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"ticketgate/domain/batch"
	"ticketgate/domain/webhook"
)

const (
	// returnPause is how often at most attempts come back, so that each statement brings many.
	returnPause = 20 * time.Millisecond
	asideAtOnce = 200 // jobs
)

// aside keeps the deliveries whose turn came while their listener had no room. Their jobs are done; a row of set_aside is
// what is left of them, and makes a job again when there is room, in whichever process has it.
type aside struct {
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
	gates  *gates
	log    *slog.Logger
	puts   batch.Group[[]asideRow, struct{}]
	room   chan struct{} // holds one token when attempts may come back
}

type asideRow struct{ webhookID, deliveryID string }

func newAside(pool *pgxpool.Pool, client *river.Client[pgx.Tx], g *gates, log *slog.Logger) *aside {
	a := &aside{pool: pool, client: client, gates: g, log: log, room: make(chan struct{}, 1)}
	a.puts.Work, a.puts.Most, a.puts.Timeout = a.insert, asideAtOnce, recordTimeout
	return a
}

// put sets deliveries of a webhook aside.
func (a *aside) put(ctx context.Context, webhookID string, ids []string) error {
	rows := make([]asideRow, len(ids))
	for i, id := range ids {
		rows[i] = asideRow{webhookID, id}
	}
	_, err := a.puts.Do(ctx, rows)
	if err == nil {
		a.gates.setBehind(true, webhookID)
		a.hasRoom()
	}
	return err
}

// insert writes what comes at the same time. The order keeps two processes from waiting for each other.
func (a *aside) insert(ctx context.Context, calls [][]asideRow) ([]struct{}, error) {
	rows := slices.Concat(calls...)
	slices.SortFunc(rows, func(x, y asideRow) int {
		return cmp.Or(cmp.Compare(x.webhookID, y.webhookID), cmp.Compare(x.deliveryID, y.deliveryID))
	})
	webhooks, deliveries := make([]string, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		webhooks[i], deliveries[i] = row.webhookID, row.deliveryID
	}
	_, err := a.pool.Exec(ctx, `INSERT INTO set_aside (webhook_id, delivery_id)
		SELECT * FROM unnest($1::text[], $2::uuid[]) ON CONFLICT DO NOTHING`, webhooks, deliveries)
	return make([]struct{}, len(calls)), err
}

// hasRoom says that attempts may come back.
func (a *aside) hasRoom() {
	select {
	case a.room <- struct{}{}:
	default: // it was said already
	}
}

// run brings attempts back as room is made, until the context ends.
func (a *aside) run(ctx context.Context) {
	pause := time.NewTicker(returnPause)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.room:
		}
		if err := a.bringBack(ctx); err != nil && ctx.Err() == nil {
			a.log.WarnContext(ctx, "attempts that were set aside do not come back", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}

// bringBack makes jobs of as many deliveries as there is room for, the oldest first, and their rows vanish with it.
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
	a.gates.setBehind(false, webhooks...) // before it is read: what comes meanwhile says so itself
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

// look finds the webhooks that have something set aside, whichever process did it.
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
