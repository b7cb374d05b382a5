package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// worldStatements load the data of a platform for a year, in steps.
//
//go:embed world.sql
var worldStatements string

// The numbers of customers in the data for questions. There are about 45 rows per customer.
const (
	worldCustomers      = 300_000
	smallWorldCustomers = worldCustomers / 1000
)

// scanDays is the number of days for which the product keeps scans by default, a year longer than deliveries. Each day
// is a partition.
const scanDays = 395

// worldSeller is the largest seller in the data. Its events, devices and other records are numbered.
var worldSeller = seller{ID: fmt.Sprintf("%024d", 1)}

// worldID returns the id of a numbered record of the largest seller. kind is a letter used in world.sql.
func worldID(kind string, number int) string {
	return fmt.Sprintf("6a000000%s%06d%09d", kind, 1, number)
}

// worldTables is a condition for the indexes that are built after the rows are loaded.
const worldTables = `indrelid = ANY ('{customers,transactions,tickets,invoices,access_entries,scan_places,audit_entries}'::regclass[])`

// world starts the program on a database with a number of customers. It loads the database unless it exists.
func (r *rig) world(ctx context.Context, customers int) (*rig, *process, error) {
	r, err := r.sibling(ctx, fmt.Sprintf("_world_%d", customers))
	if err != nil {
		return nil, nil, err
	}
	// The program creates the schema. The data is loaded before anything is read, so that no plan is made for empty
	// tables.
	p, err := r.serve(ctx, r.environment(), "--no-workers")
	if err != nil {
		return nil, nil, err
	}
	err = r.loadWorld(ctx, customers, scanDays)
	return r, p, err
}

// loadWorld fills a migrated database. Each step is one transaction. Completed steps are not repeated.
func (r *rig) loadWorld(ctx context.Context, customers, days int) error {
	return r.cluster.connected(ctx, r.cluster.url("postgres", r.name), func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; SET work_mem = '256MB';
			SET TIME ZONE 'UTC'; CREATE SCHEMA IF NOT EXISTS made;
			CREATE TABLE IF NOT EXISTS made.steps (name text PRIMARY KEY)`, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		l := worldLoader{loader{conn, customers * 40, time.Now()}}
		if err := l.step(ctx, "without indexes",
			"UPDATE pg_index SET indisready = false, indisvalid = false WHERE "+worldTables); err != nil {
			return err
		}
		sized := strings.NewReplacer("$customers", strconv.Itoa(customers), "$days", strconv.Itoa(days))
		steps := strings.Split(sized.Replace(worldStatements), "\n-- step: ")
		for _, step := range steps[1:] {
			name, statements, _ := strings.Cut(step, "\n")
			if err := l.step(ctx, name, statements); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return l.finish(ctx)
	})
}

// worldLoader loads one database.
type worldLoader struct{ loader }

// step executes a step unless it was completed before.
func (l worldLoader) step(ctx context.Context, name, statements string) error {
	return pgx.BeginFunc(ctx, l, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO made.steps VALUES ($1) ON CONFLICT DO NOTHING", name)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, statements, pgx.QueryExecModeSimpleProtocol)
		if err == nil {
			l.progressf("%s", name)
		}
		return err
	})
}

// finish builds the indexes, counts the rows of lists, and prepares the tables for index-only scans.
func (l worldLoader) finish(ctx context.Context) error {
	if err := l.indexes(ctx, worldTables); err != nil {
		return err
	}
	digest := sha256.Sum256([]byte(deviceToken(0)))
	err := l.step(ctx, "a token", fmt.Sprintf("UPDATE devices SET token_digest = '\\x%x' WHERE id = '%s'", digest, worldID("d", 0)))
	if err != nil {
		return err
	}
	err = l.step(ctx, "counts", `SELECT recount_list(list) FROM unnest(ARRAY['access_entries', 'customers', 'transactions', 'tickets',
		'invoices']) AS list`)
	if err != nil {
		return err
	}
	var done bool
	err = l.QueryRow(ctx, "SELECT EXISTS (SELECT FROM made.steps WHERE name = 'vacuum')").Scan(&done)
	if err != nil || done {
		return err
	}
	if _, err := l.Exec(ctx, "VACUUM (ANALYZE)"); err != nil {
		return err
	}
	return l.step(ctx, "vacuum", "SELECT")
}

// worldSizes describes the large tables: the number and size of their rows, and the size of their indexes.
func (r *rig) worldSizes(ctx context.Context) (sizes string, err error) {
	err = r.cluster.connected(ctx, r.cluster.url("postgres", r.name), func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `SELECT string_agg(format('%s %s of %s + %s', round(rows::numeric / 1000000, 2), name, (heap / rows)::int,
				(indexes / rows)::int), ', ' ORDER BY heap + indexes DESC)
			FROM (SELECT coalesce(i.inhparent, c.oid)::regclass AS name, sum(c.reltuples) AS rows,
					sum(pg_table_size(c.oid))::bigint AS heap, sum(pg_indexes_size(c.oid))::bigint AS indexes
				FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
				WHERE c.relkind = 'r' AND c.reltuples > 0 AND c.relnamespace = 'public'::regnamespace GROUP BY 1) t
			WHERE rows >= 100`).Scan(&sizes)
	})
	return "million rows, bytes of one in the table and in its indexes: " + sizes, err
}
