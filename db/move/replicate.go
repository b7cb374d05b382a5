package move

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// lockBound is the time for which a change of a table waits for writers. New writers queue behind it. lockPause is
	// the time between two tries, in which writers proceed.
	lockBound = 200 * time.Millisecond
	lockPause = 2 * time.Second
	pollPause = 50 * time.Millisecond
	// shortPause is the polling interval under the fence.
	shortPause = 2 * time.Millisecond
	// sayEvery is the interval of reports about a long wait.
	sayEvery = 10 * time.Second
)

// patiently executes a statement that locks a table. It retries instead of blocking writers for long.
func patiently(ctx context.Context, on *pgx.Conn, statement string) error {
	for {
		_, err := on.Exec(ctx, fmt.Sprintf("SET lock_timeout = %d", lockBound.Milliseconds()))
		if err == nil {
			_, err = on.Exec(ctx, statement)
		}
		if _, reset := on.Exec(ctx, "SET lock_timeout = 0"); reset != nil {
			return errors.Join(err, reset)
		}
		if !isLockTimeout(err) {
			return err
		}
		if err := pause(ctx, lockPause); err != nil {
			return err
		}
	}
}

// isLockTimeout reports whether a statement exceeded lock_timeout.
func isLockTimeout(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && refused.Code == "55P03"
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// guard creates triggers that make each write of the seller's rows check whether the seller is fenced.
func (m *mover) guard(ctx context.Context) error {
	guards, err := m.guards(ctx)
	if err != nil {
		return err
	}
	for _, t := range m.tables {
		if !t.isReplicated() || guards[t.name] {
			continue
		}
		const trigger = `CREATE OR REPLACE TRIGGER %[1]s_%[2]s BEFORE %[3]s ON %[4]s FOR EACH ROW WHEN (%[5]s.seller_id = '%[6]s')
			EXECUTE FUNCTION refuse_moved_seller('%[6]s')`
		for _, on := range [][3]string{{"r", "DELETE", "OLD"}, {"w", "INSERT OR UPDATE", "NEW"}} {
			statement := fmt.Sprintf(trigger, m.name, on[0], on[1], t.name, on[2], m.Seller)
			if err := patiently(ctx, m.from, statement); err != nil {
				return fmt.Errorf("guard %s: %w", t.name, err)
			}
		}
	}
	m.Say("writes of the seller's rows are guarded")
	return nil
}

// guards returns the tables that have the seller's triggers.
func (m *mover) guards(ctx context.Context) (map[string]bool, error) {
	rows, err := m.from.Query(ctx, `SELECT c.relname::text FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
		WHERE g.tgname = $1 AND NOT c.relispartition`, m.name+"_w")
	if err != nil {
		return nil, err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	guarded := map[string]bool{}
	for _, name := range names {
		guarded[name] = true
	}
	return guarded, err
}

// replicate publishes the seller's rows and subscribes the other cluster to them.
func (m *mover) replicate(ctx context.Context) error {
	var published, subscribed bool
	err := m.from.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_publication WHERE pubname = $1)", m.name).Scan(&published)
	if err == nil {
		err = m.to.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_subscription WHERE subname = $1)", m.name).Scan(&subscribed)
	}
	if err != nil {
		return err
	}
	if !published {
		if err := m.identify(ctx, "FULL"); err != nil {
			return err
		}
		var parts []string
		for _, t := range replicated(m.tables) {
			parts = append(parts, fmt.Sprintf("%s WHERE (seller_id = '%s')", t.name, m.Seller))
		}
		publish := "CREATE PUBLICATION " + m.name + " FOR TABLE " + strings.Join(parts, ", ") + " WITH (publish_via_partition_root = true)"
		if _, err := m.from.Exec(ctx, publish); err != nil {
			return fmt.Errorf("publication: %w", err)
		}
	}
	if subscribed {
		return nil
	}
	if err := m.dropSlot(ctx); err != nil {
		return err
	}
	return subscribe(ctx, m.to, m.name, m.name, m.From.URL)
}

// subscribe creates a subscription to a publication of the database at url.
func subscribe(ctx context.Context, on *pgx.Conn, name, publication, url string) error {
	quoted := strings.ReplaceAll(url, "'", "''")
	_, err := on.Exec(ctx, "CREATE SUBSCRIPTION "+name+" CONNECTION '"+quoted+"' PUBLICATION "+publication)
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok { // other fields may quote the statement, and with it the password
		return fmt.Errorf("subscription: %s (SQLSTATE %s)", strings.ReplaceAll(refused.Message, url, "…"), refused.Code)
	}
	return err
}

// identify sets the replica identity of published tables. The filter by seller_id requires that column in the old row,
// but most primary keys lack it. Tables whose key includes it are not changed.
func (m *mover) identify(ctx context.Context, identity string) error {
	for _, t := range replicated(m.tables) {
		if t.key[0] == "seller_id" {
			continue
		}
		rows, err := m.from.Query(ctx, `SELECT relid::text FROM pg_partition_tree($1::regclass) WHERE isleaf
			UNION SELECT $1::text`, t.name)
		if err != nil {
			return err
		}
		parts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, part := range parts {
			if err := patiently(ctx, m.from, "ALTER TABLE "+part+" REPLICA IDENTITY "+identity); err != nil {
				return fmt.Errorf("replica identity of %s: %w", part, err)
			}
		}
	}
	return nil
}

// awaitCopy waits until every table is copied and follows the changes.
func (m *mover) awaitCopy(ctx context.Context) error {
	if err := awaitTables(ctx, m.to, m.name); err != nil {
		return err
	}
	m.Say("the seller's rows are on cluster %s and follow its changes", m.To.Name)
	return nil
}

func awaitTables(ctx context.Context, on *pgx.Conn, subscription string) error {
	for {
		var left int
		err := on.QueryRow(ctx, `SELECT count(*) FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid
			WHERE s.subname = $1 AND r.srsubstate <> 'r'`, subscription).Scan(&left)
		if err != nil || left == 0 {
			return err
		}
		if err := pause(ctx, pollPause); err != nil {
			return err
		}
	}
}

// endReplication drops what replicate created.
func (m *mover) endReplication(ctx context.Context) error {
	if _, err := m.to.Exec(ctx, "DROP SUBSCRIPTION IF EXISTS "+m.name); err != nil {
		return err
	}
	if err := m.dropSlot(ctx); err != nil {
		return err
	}
	if _, err := m.from.Exec(ctx, "DROP PUBLICATION IF EXISTS "+m.name); err != nil {
		return err
	}
	var others bool
	const query = `SELECT EXISTS (SELECT FROM pg_publication WHERE pubname LIKE 'ticketgate\_move\_%')`
	if err := m.from.QueryRow(ctx, query).Scan(&others); err != nil || others {
		return err // the last move resets it
	}
	return m.identify(ctx, "DEFAULT")
}

// dropSlot drops a slot whose subscription was never created or no longer exists.
func (m *mover) dropSlot(ctx context.Context) error {
	_, err := m.from.Exec(ctx,
		"SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active", m.name)
	return err
}
