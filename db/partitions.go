package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// partitionedTables are the tables that grow with time. They are partitioned by day. Their keys start with a time, and
// bound returns the smallest key of a day. Old partitions are dropped in this order, so that references are dropped
// before the rows that they refer to. Tables with longer set are kept for that additional time.
var partitionedTables = [...]struct {
	table, key string
	bound      func(day time.Time) string
	longer     time.Duration
}{
	{"attempts", "delivery_id", uuidBound, 0},
	{"hand_over_attempts", "invoice_id", idBound, 0},
	{"deliveries", "id", uuidBound, 0},
	{"events", "id", uuidBound, 0},
	{"webhook_figures", "at", timeBound, 0},
	{"scans", "id", idBound, scansLonger},
}

// scansLonger is how much longer scans are kept than deliveries, so that last season's can still be looked up.
const scansLonger = 365 * 24 * time.Hour

// partitionDaysAhead is the number of days for which partitions are created in advance. The daily job may thus fail for
// a week.
const partitionDaysAhead = 8

const dayLayout = "20060102"

// uuidBound returns the smallest version 7 UUID of a time. Times before 1970 give the same one as 1970.
func uuidBound(of time.Time) string {
	ms := max(0, of.UnixMilli())
	return fmt.Sprintf("%08x-%04x-0000-0000-000000000000", ms>>16, ms&0xffff)
}

// idBound returns the smallest record id of a day. Ids start with a time in seconds, in hexadecimal.
func idBound(day time.Time) string { return fmt.Sprintf("%08x%016x", day.Unix(), 0) }

// timeBound returns the start of a day.
func timeBound(day time.Time) string { return day.Format(time.RFC3339) }

func midnight(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// ensurePartitions creates the missing partitions for today and the coming days.
func ensurePartitions(ctx context.Context, owner *sql.DB, now time.Time) error {
	for _, partitioned := range partitionedTables {
		for ahead := range partitionDaysAhead {
			day := midnight(now).AddDate(0, 0, ahead)
			from, until := partitioned.bound(day), partitioned.bound(day.AddDate(0, 0, 1))
			if err := ensurePartition(ctx, owner, partitioned.table, partitioned.key, day, from, until); err != nil {
				return fmt.Errorf("partition of %s for %s: %w", partitioned.table, day.Format(time.DateOnly), err)
			}
		}
	}
	return nil
}

// ensurePartition creates one partition. PostgreSQL refuses to attach it while the default partition has rows of its
// day, so these are moved first.
func ensurePartition(ctx context.Context, owner *sql.DB, table, key string, day time.Time, from, until string) error {
	name := table + "_" + day.Format(dayLayout)
	var exists bool
	if err := owner.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", name).Scan(&exists); err != nil || exists {
		return err
	}
	tx, err := owner.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no-op after a commit
	for _, statement := range [...]string{
		fmt.Sprintf("CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)", name, table),
		fmt.Sprintf("LOCK TABLE %s_default IN ACCESS EXCLUSIVE MODE", table),
		fmt.Sprintf("WITH moved AS (DELETE FROM %[2]s_default WHERE %[3]s >= '%[4]s' AND %[3]s < '%[5]s' RETURNING *) "+
			"INSERT INTO %[1]s SELECT * FROM moved", name, table, key, from, until),
		fmt.Sprintf("ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')", table, name, from, until),
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// dropPartitions drops every partition that ends before the given time and returns their number. It also deletes rows
// of these days from the default partition.
func dropPartitions(ctx context.Context, owner *sql.DB, before time.Time) (int, error) {
	dropped := 0
	for _, partitioned := range partitionedTables {
		end := midnight(before.Add(-partitioned.longer))
		names, err := partitionsBefore(ctx, owner, partitioned.table, end)
		if err != nil {
			return dropped, err
		}
		for _, name := range names {
			if _, err := owner.ExecContext(ctx, "DROP TABLE "+name); err != nil {
				return dropped, fmt.Errorf("drop %s: %w", name, err)
			}
			dropped++
		}
		const remove = "DELETE FROM %s_default WHERE %s < '%s'"
		if _, err := owner.ExecContext(ctx, fmt.Sprintf(remove, partitioned.table, partitioned.key, partitioned.bound(end))); err != nil {
			return dropped, fmt.Errorf("rows of %s without a partition: %w", partitioned.table, err)
		}
	}
	return dropped, nil
}

// partitionsBefore returns the partitions of a table for days before a time, oldest first.
func partitionsBefore(ctx context.Context, owner *sql.DB, table string, before time.Time) ([]string, error) {
	const query = `SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = $1::regclass ORDER BY c.relname`
	found, err := owner.QueryContext(ctx, query, table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	var names []string
	for found.Next() {
		var name string
		if err := found.Scan(&name); err != nil {
			return nil, err
		}
		day, err := time.Parse(table+"_"+dayLayout, name)
		if err == nil && day.Before(before) {
			names = append(names, name)
		}
	}
	return names, found.Err()
}
