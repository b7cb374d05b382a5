package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

// The data for statistics: one seller with 50 webhooks, whose calls of a week are in daily partitions as the product
// creates them.
const (
	insightSeller   = "00000000000000000000bead"
	insightWebhooks = 50
	insightDays     = 7
)

// insightStart creates the seller and its webhooks if they do not exist.
var insightStart = []string{
	`INSERT INTO organizations VALUES ('bench', 'Bench', now()) ON CONFLICT DO NOTHING`,
	`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
		VALUES (@seller, 'bench', 'Seller', 'FR', true, false, now(), now()) ON CONFLICT DO NOTHING`,
	`INSERT INTO webhooks (id, seller_id, name, url, enabled, event_types, created_by_type, created_by_id, created_at, updated_at)
		SELECT lpad(n::text, 24, '0'), @seller, 'Webhook ' || n, 'https://listener.example.com/' || n, true, '{}', 'SYSTEM', '',
			now(), now()
		FROM generate_series(0, 49) n ON CONFLICT DO NOTHING`,
}

// insightRows fills a day with deliveries that have one call each, spread evenly over the day. One in a thousand
// failed. One webhook has deliveries with a rare type, outcome and pending state, one in 100,000. Every tenth delivery
// has its event.
const insightRows = `
	CREATE TEMPORARY TABLE made ON COMMIT DROP AS SELECT n, at, lpad(n % 50 || '', 24, '0') AS webhook_id,
			(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' ||
				lpad(to_hex(n), 15, '0'))::uuid AS id,
			CASE WHEN n % 100000 = 50 THEN 'donation.created' ELSE 'ticket.updated' END AS type,
			CASE WHEN n % 1000 = 100 THEN 'failed' WHEN n % 100000 = 0 THEN 'pending' ELSE 'delivered' END AS state,
			CASE WHEN n % 1000 = 100 THEN 503 WHEN n % 100000 = 0 THEN 429 ELSE 200 END AS status
		FROM (SELECT n, date_trunc('milliseconds', $day::timestamptz + n * ($until::timestamptz - $day::timestamptz) / $rows::bigint) AS at
			FROM generate_series(0, $rows::bigint - 1) n) n;
	INSERT INTO $events (id, seller_id, type, mode, head_version, data, object_id, created_at)
		SELECT id, $seller, type, 'dev', 1, '{"ticket":{}}', 'object-' || n, at FROM made WHERE n % 10 = 0;
	INSERT INTO $deliveries (id, event_id, webhook_id, seller_id, type, state, attempts, scheduled, outcome, next_attempt_at,
			delivered_at, created_at, updated_at)
		SELECT id, id, webhook_id, $seller, type, state, 1, 1, status, CASE state WHEN 'pending' THEN at + interval '30 days' END,
			CASE state WHEN 'delivered' THEN at END, at, at FROM made;
	INSERT INTO $attempts (delivery_id, number, webhook_id, by_hand, url, started_at, duration_ms, status, detail, response_body,
			body_truncated)
		SELECT id, 1, webhook_id, false, 'https://listener.example.com/', at, 15, status, '', '', false FROM made;
	INSERT INTO $webhook_figures (webhook_id, part, value, at, calls, succeeded, delivered, failed, milliseconds, times)
		SELECT webhook_id, part, value, slot, count(*), sum((status = 200)::int), sum((state = 'delivered')::int),
			sum((state = 'failed')::int), 15 * count(*), CASE part WHEN 'all' THEN array_fill(0, ARRAY[15]) || count(*)::int ELSE '{}' END
		FROM made, date_bin('5 minutes', at, '2000-01-01Z') slot,
			(VALUES ('all', ''), ('type', NULL), ('outcome', NULL)) p (part, empty),
			coalesce(empty, CASE part WHEN 'type' THEN type ELSE status::text END) value
		GROUP BY webhook_id, part, value, slot;`

// partitionsOfDay are the tables that are partitioned by day, each with a SQL expression for the smallest key of a
// time.
var partitionsOfDay = []struct{ table, bound string }{
	{"events", boundOfUUID}, {"deliveries", boundOfUUID}, {"attempts", boundOfUUID}, {"webhook_figures", "'%s'"},
}

// boundOfUUID is a SQL expression for the smallest version 7 UUID of a time.
const boundOfUUID = "rpad(lpad(to_hex((extract(epoch FROM timestamptz '%s') * 1000)::bigint), 12, '0'), 32, '0')::uuid"

// loadAttempts fills a migrated database with attempts of a week. Each day is one transaction, so an existing day is
// complete and is not loaded again.
func (r *rig) loadAttempts(ctx context.Context, attempts int) error {
	return r.cluster.connected(ctx, r.database(embedded.OwnerRole), func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'"); err != nil {
			return err
		}
		for _, statement := range insightStart {
			if _, err := conn.Exec(ctx, statement, pgx.NamedArgs{"seller": insightSeller}); err != nil {
				return fmt.Errorf("%.60s: %w", statement, err)
			}
		}
		start, today := time.Now(), time.Now().UTC().Truncate(24*time.Hour)
		for ago := insightDays; ago >= 0; ago-- {
			d := insightDay{conn, today.AddDate(0, 0, -ago), attempts / insightDays}
			if err := d.load(ctx, start); err != nil {
				return err
			}
			if attempts >= fullLookup {
				fmt.Fprintf(os.Stderr, "  %s: %s\n", time.Since(start).Round(time.Second), d.day.Format(time.DateOnly))
			}
		}
		_, err := conn.Exec(ctx, "VACUUM (ANALYZE) deliveries, attempts, events, webhook_figures, webhooks")
		return err
	})
}

// insightDay creates the calls of one day.
type insightDay struct {
	*pgx.Conn
	day  time.Time
	rows int
}

// load creates the rows of the day, up to now. Those of past days are written to separate tables, whose indexes are
// built when they become partitions. The partitions of today exist already.
func (d insightDay) load(ctx context.Context, now time.Time) error {
	until, rows, over := d.day.AddDate(0, 0, 1), d.rows, true
	if until.After(now) {
		over, rows, until = false, int(float64(d.rows)*now.Sub(d.day).Hours()/24), now
	}
	if loaded, err := d.loaded(ctx); err != nil || loaded {
		return err
	}
	return pgx.BeginFunc(ctx, d, func(tx pgx.Tx) error {
		text := strings.NewReplacer("$seller", "'"+insightSeller+"'", "$rows", strconv.Itoa(rows),
			"$day", "'"+d.day.Format(time.RFC3339)+"'", "$until", "'"+until.UTC().Format(time.RFC3339)+"'").Replace(insightRows)
		for _, p := range partitionsOfDay {
			if over {
				const like = "CREATE TABLE %[1]s (LIKE %[2]s INCLUDING DEFAULTS INCLUDING CONSTRAINTS);"
				text = fmt.Sprintf(like, d.name(p.table), p.table) + text + d.attach(p.table, p.bound)
			}
			text = strings.ReplaceAll(text, "$"+p.table+" ", d.name(p.table)+" ")
		}
		_, err := tx.Exec(ctx, text, pgx.QueryExecModeSimpleProtocol)
		return err
	})
}

// attach returns a statement that makes the day's table a partition. Because bounds can't be SQL expressions, a DO
// block builds the statement.
func (d insightDay) attach(table, bound string) string {
	from, until := fmt.Sprintf(bound, d.day.Format(time.RFC3339)), fmt.Sprintf(bound, d.day.AddDate(0, 0, 1).Format(time.RFC3339))
	return fmt.Sprintf(`DO $$ BEGIN EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%%L) TO (%%L)', %s, %s); END $$;`,
		table, d.name(table), from, until)
}

// name returns the name that the product gives to the day's partition.
func (d insightDay) name(table string) string { return table + "_" + d.day.Format("20060102") }

// loaded reports whether the day has its rows.
func (d insightDay) loaded(ctx context.Context) (exists bool, err error) {
	err = d.QueryRow(ctx, "SELECT to_regclass('"+d.name("deliveries")+"') IS NOT NULL").Scan(&exists)
	if err != nil || !exists {
		return false, err
	}
	err = d.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+d.name("deliveries")+" WHERE seller_id = '"+insightSeller+"')").Scan(&exists)
	return exists, err
}
