package db_test

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
)

// looksUpMany matches statements with a list of values, for which the server can't know the number of rows.
var looksUpMany = regexp.MustCompile(`ANY ?\(\$\d|unnest\(\$\d`)

// readWhole matches the tables that a plan reads completely: sequentially, or along the whole of an index.
var readWhole = regexp.MustCompile(`Seq Scan on (\w+)|Index (?:Only )?Scan (?:Backward )?(?:using|on) (.*)\n +(?:[^I ]|Index [^C])`)

// TestPlansOfAnEmptyDatabase prepares every statement that looks up many rows in a database without rows and
// statistics, on a connection like those for requests. The plan must not read a table completely, because it stays
// when the tables are filled (LIMIT-3).
func TestPlansOfAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	conn := requestConnection(t, dbtest.New(t))
	planned := 0
	for _, s := range readSource(t, ".").statements() {
		if !looksUpMany.MatchString(s.text) || strings.Contains(s.text, strings.TrimSpace(unknown)) {
			continue
		}
		plan, whole := genericPlan(t.Context(), conn, s.text)
		if !whole { // part of a statement
			continue
		}
		planned++
		for _, table := range readWhole.FindAllStringSubmatch(plan, -1) {
			t.Errorf("%s reads all of %s:\n%s\n%s", s.function, table[1]+table[2], s.text, plan)
		}
	}
	if planned < 45 {
		t.Errorf("only %d statements were planned", planned)
	}
}

// TestRowsToLockAreLookedUpByTheirIDs plans the statements that lock rows for imports on empty tables. The plan is
// kept while the tables are filled, and must not read all rows of the seller.
func TestRowsToLockAreLookedUpByTheirIDs(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	conn := requestConnection(t, database)
	for what, text := range db.LockedTexts(opened(t, database)) {
		plan, whole := genericPlan(t.Context(), conn, text)
		if !whole || !regexp.MustCompile(`Index Cond: \(\(seller_id = \$\d\) AND \(id = `).MatchString(plan) {
			t.Errorf("%s: %s\n%s", what, text, plan)
		}
	}
}

// requestConnection opens a connection like those for requests.
func requestConnection(t *testing.T, database *dbtest.Database) *sql.Conn {
	t.Helper()
	conn, err := opened(t, database).RequestsPool().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := conn.ExecContext(t.Context(), "SET plan_cache_mode = force_generic_plan"); err != nil {
		t.Fatal(err)
	}
	return conn
}

// opened opens a store on the database.
func opened(t *testing.T, database *dbtest.Database) *db.Store {
	t.Helper()
	store, err := db.Open(db.Config{URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// genericPlan returns the plan of a statement for all arguments. whole is false if the text is not a complete
// statement.
func genericPlan(ctx context.Context, conn *sql.Conn, statement string) (plan string, whole bool) {
	if _, err := conn.ExecContext(ctx, "PREPARE planned AS "+statement); err != nil {
		return "", false
	}
	defer func() { _, _ = conn.ExecContext(ctx, "DEALLOCATE planned") }()
	var arguments int
	if err := conn.QueryRowContext(ctx, "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'planned'").
		Scan(&arguments); err != nil {
		return err.Error(), true
	}
	values := strings.TrimSuffix(strings.Repeat("NULL, ", arguments), ", ")
	found, err := conn.QueryContext(ctx, fmt.Sprintf("EXPLAIN EXECUTE planned(%s)", values))
	if err != nil {
		return err.Error(), true
	}
	defer func() { _ = found.Close() }()
	var lines []string
	for found.Next() {
		var line string
		if err := found.Scan(&line); err != nil {
			return err.Error(), true
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), found.Err() == nil
}

// TestPlansAreRenewed fills a table after a statement was planned on it. The next plan must fit the new size
// (LIMIT-3).
func TestPlansAreRenewed(t *testing.T) {
	t.Parallel()
	for passed, renewed := range map[time.Duration]bool{10 * time.Second: true, 9 * time.Second: false} {
		now := time.Now()
		database := dbtest.New(t)
		store, err := db.Open(db.Config{
			URL: database.ApplicationURL, PoolSize: 1, Mode: "dev", Sealer: database.Sealer, Now: func() time.Time { return now },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		owner := database.Owner(t)
		pool := store.RequestsPool()
		run := func(on *sql.DB, statement string) {
			if _, err := on.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		run(owner, "CREATE TABLE grown (code text)")
		run(owner, "GRANT SELECT ON grown TO PUBLIC")
		run(pool, "PREPARE by_code AS SELECT * FROM grown WHERE code = $1")
		plan := func() (first string) {
			if err := pool.QueryRowContext(t.Context(), "EXPLAIN EXECUTE by_code('a')").Scan(&first); err != nil {
				t.Fatal(err)
			}
			return first
		}
		before := plan()
		run(owner, "INSERT INTO grown SELECT 'code ' || n FROM generate_series(1, 100000) n")
		now = now.Add(passed)
		if after := plan(); (after != before) != renewed {
			t.Errorf("after %v %q became %q", passed, before, after)
		}
	}
}
