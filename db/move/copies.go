package move

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// attemptBound is longer than the time between the start of any attempt and the commit that records it.
	attemptBound = 15 * time.Minute
	// shortRound is the time below which a repeated step is short enough to run under the fence.
	shortRound = time.Second
	// numberedAtOnce is the number of feed changes that one transaction numbers. Readers of the feed wait for it.
	numberedAtOnce = 5000
)

// copyAll copies the rows without seller_id, and then repeatedly those that have changed, until little is left for the
// fence.
func (m *mover) copyAll(ctx context.Context) error {
	if err := m.findWebhooks(ctx); err != nil {
		return err
	}
	if _, err := m.to.Exec(ctx, "DELETE FROM device_feed WHERE seller_id = $1", m.Seller); err != nil { // rows from an interrupted run
		return err
	}
	m.feed, m.seen = -1, ""
	return untilShort(func() error {
		started := time.Now()
		rows, err := m.copyRound(ctx, false)
		if err == nil {
			m.Say("%d rows without seller_id copied in %v", rows, time.Since(started).Round(time.Millisecond))
		}
		return err
	})
}

// untilShort repeats step until it takes less than shortRound. It also ends when step no longer gets clearly faster,
// since under heavy load it would never be short.
func untilShort(step func() error) error {
	for last := time.Duration(math.MaxInt64); ; {
		started := time.Now()
		if err := step(); err != nil {
			return err
		}
		took := time.Since(started)
		if took < shortRound || took > last-last/4 {
			return nil
		}
		last = took
	}
}

// createWebhooks creates the table for the ids of the seller's webhooks, including deleted ones.
const createWebhooks = `CREATE TEMP TABLE IF NOT EXISTS moving_webhooks (id text COLLATE "C" PRIMARY KEY)`

// findWebhooks collects the ids of the seller's webhooks, including those that are found only in deliveries.
func (m *mover) findWebhooks(ctx context.Context) error {
	_, err := m.from.Exec(ctx, createWebhooks)
	if err == nil {
		_, err = m.from.Exec(ctx, `INSERT INTO moving_webhooks SELECT DISTINCT webhook_id FROM deliveries WHERE seller_id = $1
			ON CONFLICT DO NOTHING`, m.Seller)
	}
	if err != nil {
		return err
	}
	return m.addWebhooks(ctx)
}

// addWebhooks adds the ids of webhooks created since.
func (m *mover) addWebhooks(ctx context.Context) error {
	_, err := m.from.Exec(ctx, `INSERT INTO moving_webhooks SELECT id FROM webhooks WHERE seller_id = $1
		UNION SELECT id FROM deleted_webhooks WHERE seller_id = $1 ON CONFLICT DO NOTHING`, m.Seller)
	return err
}

// round is one round of copying: a snapshot of one cluster is written in one transaction of the other.
type round struct {
	*mover

	here, there pgx.Tx
	// last marks the round under the fence. It includes feed changes without a number.
	last bool
	// sees is the oldest transaction that the snapshot may not see. seesAt is the time of that snapshot.
	sees   string
	seesAt time.Time
}

// copyRound copies the rows that the previous round may not have seen, and returns their number.
func (m *mover) copyRound(ctx context.Context, last bool) (total int64, err error) {
	if err := m.addWebhooks(ctx); err != nil {
		return 0, err
	}
	if !last {
		if err := m.numberChanges(ctx); err != nil {
			return 0, err
		}
	}
	r := round{mover: m, last: last}
	err = pgx.BeginTxFunc(ctx, m.from, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(here pgx.Tx) error {
		return pgx.BeginFunc(ctx, m.to, func(there pgx.Tx) error {
			r.here, r.there = here, there
			if total, err = r.copyChanged(ctx); err != nil {
				return err
			}
			return r.removeGone(ctx)
		})
	})
	if err != nil || last {
		return total, err
	}
	m.seen, m.seenAt = r.sees, r.seesAt
	return total, m.readFeed(ctx)
}

// copyChanged copies the rows of all tables that have rows to copy. One statement finds these tables, because each
// statement takes long on a busy machine.
func (r *round) copyChanged(ctx context.Context) (total int64, err error) {
	each := make([]string, 0, len(copies))
	for _, c := range copies {
		each = append(each, "EXISTS (SELECT FROM "+c.name+" t WHERE "+r.changed(c)+")")
	}
	var has []bool
	query := "SELECT pg_snapshot_xmin(pg_current_snapshot())::text, clock_timestamp(), ARRAY[" + strings.Join(each, ", ") + "]"
	err = r.here.QueryRow(ctx, query).Scan(&r.sees, &r.seesAt, &has)
	if err != nil {
		return 0, err
	}
	for i, c := range copies {
		if !has[i] {
			continue
		}
		count, err := r.copyRows(ctx, c)
		if err != nil {
			return total, fmt.Errorf("copy %s: %w", c.name, err)
		}
		total += count
	}
	return total, nil
}

// removeGone deletes rows in the other cluster that were deleted in this one, such as a revoked secret. All other rows
// have been copied, so the numbers of rows show whether any must be deleted.
func (r *round) removeGone(ctx context.Context) error {
	var shrinking []copied
	var each []string
	for _, c := range copies {
		if c.shrinks {
			shrinking = append(shrinking, c)
			each = append(each, "(SELECT count(*) FROM "+c.name+" t WHERE "+r.filled(r.narrowed(c))+")")
		}
	}
	var counts [2][]int64
	for i, on := range []pgx.Tx{r.here, r.there} {
		if err := on.QueryRow(ctx, "SELECT ARRAY["+strings.Join(each, ", ")+"]").Scan(&counts[i]); err != nil {
			return err
		}
	}
	for i, c := range shrinking {
		if counts[1][i] <= counts[0][i] {
			continue
		}
		key, condition := strings.Join(named(r.tables, c.name).key, ", "), r.filled(r.narrowed(c))
		_, err := r.stage(ctx, c.name, "staged_keys_"+c.name, key, "SELECT "+key+" FROM "+c.name+" t WHERE "+condition)
		if err == nil {
			_, err = r.there.Exec(ctx, "DELETE FROM "+c.name+" t WHERE "+condition+
				" AND ("+key+") NOT IN (SELECT "+key+" FROM staged_keys_"+c.name+")")
		}
		if err != nil {
			return fmt.Errorf("remove from %s: %w", c.name, err)
		}
	}
	return nil
}

// numberChanges numbers the feed's changes, as readers usually do, because only numbered changes can be copied before
// the fence. The changes of a seller without devices would otherwise have no numbers.
func (m *mover) numberChanges(ctx context.Context) error {
	for {
		var waiting int
		err := m.from.QueryRow(ctx, `SELECT count(*) FROM (SELECT FROM device_feed WHERE seller_id = $1 AND seq IS NULL LIMIT $2) waiting`,
			m.Seller, numberedAtOnce).Scan(&waiting)
		if err != nil || waiting == 0 {
			return err
		}
		err = pgx.BeginFunc(ctx, m.from, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO device_feed_heads AS h (seller_id, seq) VALUES ($1, 0)
				ON CONFLICT (seller_id) DO UPDATE SET seq = h.seq`, m.Seller)
			if err == nil {
				_, err = tx.Exec(ctx, m.NumberChanges, m.Seller, numberedAtOnce)
			}
			return err
		})
		if err != nil || waiting < numberedAtOnce {
			return err
		}
	}
}

// readFeed reads the number of the last copied feed change.
func (m *mover) readFeed(ctx context.Context) error {
	return m.to.QueryRow(ctx, "SELECT coalesce(max(seq), -1) FROM device_feed WHERE seller_id = $1", m.Seller).Scan(&m.feed)
}

// changed returns the condition for the rows to copy: in the first round all, then those written by transactions that
// the previous round's snapshot may not have seen.
func (r *round) changed(c copied) string {
	if c.name == "device_feed" && !r.last {
		return r.filled(c.rows + " AND t.seq IS NOT NULL")
	}
	if c.always || r.seen == "" {
		return r.filled(c.rows)
	}
	return r.filled(r.narrowed(c) + " AND age(t.xmin) <= age('" + r.seen + "'::xid8::xid)")
}

// narrowed returns the condition for rows that may have changed since the previous round. In the first round, that is
// all.
func (m *mover) narrowed(c copied) string {
	if c.recent == "" || m.seen == "" {
		return c.rows
	}
	return c.recent
}

// filled replaces the placeholders for the seller, the time and the feed's number in a condition, since COPY takes no
// arguments.
func (m *mover) filled(condition string) string {
	return strings.NewReplacer(
		"$S", "'"+m.Seller+"'", "$T", "'"+m.seenAt.Add(-attemptBound).UTC().Format(time.RFC3339Nano)+"'::timestamptz",
		"$N", strconv.FormatInt(m.feed, 10),
	).Replace(condition)
}

// copyRows copies the changed rows of one table. Existing rows are updated.
func (r *round) copyRows(ctx context.Context, c copied) (int64, error) {
	t := named(r.tables, c.name)
	columns := strings.Join(t.columns, ", ")
	query := "SELECT " + columns + " FROM " + t.name + " t WHERE " + r.changed(c)
	if c.order != "" {
		query += " ORDER BY " + c.order
	}
	count, err := r.stage(ctx, t.name, "staged_"+t.name, columns, query)
	if err == nil {
		_, err = r.there.Exec(ctx, "INSERT INTO "+t.name+" ("+columns+") SELECT "+columns+" FROM staged_"+t.name+onConflict(t))
	}
	return count, err
}

// stage copies the result of a query to a temporary table of the other cluster.
func (r *round) stage(ctx context.Context, table, staged, columns, query string) (int64, error) {
	_, err := r.there.Exec(ctx, "CREATE TEMP TABLE "+staged+" ON COMMIT DROP AS SELECT "+columns+" FROM "+table+" WITH NO DATA")
	if err != nil {
		return 0, err
	}
	reader, writer := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		_, err := r.here.Conn().PgConn().CopyTo(ctx, writer, "COPY ("+query+") TO STDOUT")
		_ = writer.CloseWithError(err)
		sent <- err
	}()
	filled, err := r.there.Conn().PgConn().CopyFrom(ctx, reader, "COPY "+staged+" ("+columns+") FROM STDIN")
	_ = reader.CloseWithError(err)
	if sentErr := <-sent; err == nil {
		err = sentErr
	}
	return filled.RowsAffected(), err
}

// onConflict returns the ON CONFLICT clause that updates existing rows. The feed has none: its key is a number that
// each cluster assigns.
func onConflict(t table) string {
	if t.name == "device_feed" {
		return ""
	}
	var sets []string
	for _, column := range t.columns {
		sets = append(sets, column+" = excluded."+column)
	}
	return " ON CONFLICT (" + strings.Join(t.key, ", ") + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

// copyCounts copies the counts of lists, including the deltas that were not added to them yet.
func (m *mover) copyCounts(ctx context.Context) error {
	if named(m.tables, "list_counts").name == "" {
		return nil
	}
	rows, err := m.from.Query(ctx, `SELECT list, scope, sum(n)::bigint FROM (
			SELECT list, scope, n FROM list_counts WHERE seller_id = $1
			UNION ALL SELECT list, scope, n FROM list_count_deltas WHERE seller_id = $1
		) counts GROUP BY list, scope`, m.Seller)
	if err != nil {
		return err
	}
	var list, scope string
	var n int64
	var lists, scopes []string
	var counts []int64
	for rows.Next() {
		if err := rows.Scan(&list, &scope, &n); err != nil {
			return err
		}
		lists, scopes, counts = append(lists, list), append(scopes, scope), append(counts, n)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	_, err = m.to.Exec(ctx, "DELETE FROM list_count_deltas WHERE seller_id = $1", m.Seller)
	if err == nil {
		_, err = m.to.Exec(ctx, "DELETE FROM list_counts WHERE seller_id = $1", m.Seller)
	}
	if err == nil {
		_, err = m.to.Exec(ctx, `INSERT INTO list_counts (seller_id, list, scope, n)
			SELECT $1, list, scope, n FROM unnest($2::text[], $3::text[], $4::bigint[]) AS c (list, scope, n)`,
			m.Seller, lists, scopes, counts)
	}
	return err
}
