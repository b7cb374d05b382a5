package move

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

const (
	// attemptBound is longer than what is recorded may have begun before it is committed.
	attemptBound = 15 * time.Minute
	// shortRound is how long a round of copies may take for the next one to be made under the fence.
	shortRound = time.Second
	// mostRounds bounds the rounds of a seller who writes faster than rows are copied.
	mostRounds = 20
)

// createWebhooks creates a table for the ids of the seller's webhooks, also of deleted ones.
const createWebhooks = `CREATE TEMP TABLE IF NOT EXISTS moving_webhooks (id text COLLATE "C" PRIMARY KEY)`

// copyAll copies what has no seller_id, and then what has changed meanwhile, until little is left for the fence.
func (m *mover) copyAll(ctx context.Context) error {
	_, err := m.from.Exec(ctx, createWebhooks)
	if err == nil {
		_, err = m.from.Exec(ctx, `INSERT INTO moving_webhooks SELECT DISTINCT webhook_id FROM deliveries WHERE seller_id = $1
			ON CONFLICT DO NOTHING`, m.Seller)
	}
	if err == nil {
		_, err = m.to.Exec(ctx, "DELETE FROM device_feed WHERE seller_id = $1", m.Seller) // of a run that was interrupted
	}
	if err != nil {
		return err
	}
	m.feed = -1
	var since time.Time
	for range mostRounds {
		began := time.Now()
		rows, err := m.copyRound(ctx, since, false)
		if err != nil {
			return err
		}
		m.Say("%d rows without seller_id copied in %v", rows, time.Since(began).Round(time.Millisecond))
		if time.Since(began) < shortRound {
			return nil
		}
		since = began
	}
	return nil
}

// copyRound copies the rows that may have changed since a time; all of them for the zero time. The last round has the changes of the
// device feed that have no number yet.
func (m *mover) copyRound(ctx context.Context, since time.Time, last bool) (total int64, err error) {
	_, err = m.from.Exec(ctx, `INSERT INTO moving_webhooks SELECT id FROM webhooks WHERE seller_id = $1
		UNION SELECT id FROM deleted_webhooks WHERE seller_id = $1 ON CONFLICT DO NOTHING`, m.Seller)
	if err != nil {
		return 0, err
	}
	for _, c := range copies {
		rows := c.rows
		if c.recent != "" && !since.IsZero() {
			rows = c.recent
		}
		if c.name == "device_feed" && !last {
			rows += " AND t.seq IS NOT NULL"
		}
		count, err := m.copyRows(ctx, c, m.filled(rows, since))
		if err != nil {
			return total, fmt.Errorf("copy %s: %w", c.name, err)
		}
		total += count
	}
	return total, m.readFeed(ctx)
}

// readFeed reads how far the device feed was copied.
func (m *mover) readFeed(ctx context.Context) error {
	return m.to.QueryRow(ctx, "SELECT coalesce(max(seq), -1) FROM device_feed WHERE seller_id = $1", m.Seller).Scan(&m.feed)
}

// filled puts the seller, the time and the number of the feed into a condition: COPY takes no arguments.
func (m *mover) filled(condition string, since time.Time) string {
	return strings.NewReplacer(
		"$S", "'"+m.Seller+"'", "$T", "'"+since.Add(-attemptBound).UTC().Format(time.RFC3339Nano)+"'::timestamptz",
		"$N", strconv.FormatInt(m.feed, 10),
	).Replace(condition)
}

// copyRows copies rows from one server to the other. Rows that are there become as they are at their origin.
func (m *mover) copyRows(ctx context.Context, c copied, condition string) (int64, error) {
	t := named(m.tables, c.name)
	columns := strings.Join(t.columns, ", ")
	query := "SELECT " + columns + " FROM " + t.name + " t WHERE " + condition
	if c.order != "" {
		query += " ORDER BY " + c.order
	}
	tx, err := m.to.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if c.isReplaced() { // a secret that was revoked since must not stay
		if _, err := tx.Exec(ctx, "DELETE FROM "+t.name+" t WHERE "+condition); err != nil {
			return 0, err
		}
	}
	if _, err := tx.Exec(ctx, "CREATE TEMP TABLE staged ON COMMIT DROP AS SELECT "+columns+" FROM "+t.name+" WITH NO DATA"); err != nil {
		return 0, err
	}
	reader, writer := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		_, err := m.from.PgConn().CopyTo(ctx, writer, "COPY ("+query+") TO STDOUT")
		_ = writer.CloseWithError(err)
		sent <- err
	}()
	copiedRows, err := m.to.PgConn().CopyFrom(ctx, reader, "COPY staged ("+columns+") FROM STDIN")
	_ = reader.CloseWithError(err)
	if sentErr := <-sent; err == nil {
		err = sentErr
	}
	if err != nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO "+t.name+" ("+columns+") SELECT "+columns+" FROM staged"+onConflict(t)); err != nil {
		return 0, err
	}
	return copiedRows.RowsAffected(), tx.Commit(ctx)
}

// onConflict is what is done about a row that is there. The feed's key is a number of the cluster.
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

// copyCounts copies the kept counts of lists: the counts and what was not yet added to them.
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
