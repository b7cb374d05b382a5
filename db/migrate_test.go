package db_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/jobs"
)

func migrator(t *testing.T, database *dbtest.Database, now func() time.Time) *db.Migrator {
	t.Helper()
	m, err := db.NewMigrator(database.OwnerURL, database.ApplicationURL, jobs.Migrations{}, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	pool, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

// schema returns every column, constraint and index as comparable text.
func schema(t *testing.T, database *dbtest.Database) string {
	t.Helper()
	const query = `SELECT string_agg(line, E'\n' ORDER BY line) FROM (
		SELECT format('%s.%s %s', table_name, column_name, data_type) AS line FROM information_schema.columns WHERE table_schema = 'public'
		UNION ALL SELECT format('%s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public') AS lines`
	var text sql.NullString
	if err := open(t, database.OwnerURL).QueryRow(query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text.String
}

func TestMigrations(t *testing.T) {
	database := dbtest.New(t)
	m := migrator(t, database, time.Now)
	before := schema(t, database)

	t.Run("are all applied in the template", func(t *testing.T) {
		status, err := m.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(status) < 1+jobs.MigrationVersion {
			t.Fatalf("%d migrations, want ours and %d of River", len(status), jobs.MigrationVersion)
		}
		for _, migrationStatus := range status {
			if !migrationStatus.Applied {
				t.Errorf("%s is not applied", migrationStatus.Name)
			}
		}
	})
	t.Run("come back the same after going down and up", func(t *testing.T) {
		if err := m.Down(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if left := schema(t, database); strings.Contains(left, "sellers") || strings.Contains(left, "river_job") {
			t.Fatalf("down left tables behind:\n%s", left)
		}
		if err := m.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after := schema(t, database); after != before {
			t.Error("the schema differs after down and up")
		}
	})
	t.Run("can be run by several processes concurrently", func(t *testing.T) {
		if err := m.Down(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		results := make(chan error, 3)
		for range cap(results) {
			go func() { results <- migrator(t, database, time.Now).Up(t.Context()) }()
		}
		for range cap(results) {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestApplicationRole(t *testing.T) {
	database := dbtest.New(t)
	application := open(t, database.ApplicationURL)
	const entry = `INSERT INTO audit_entries VALUES ('a', now(), NULL, NULL, 'SYSTEM', '', 'x', 'x', 'x', '{}', '{}', '', '')`
	if _, err := application.Exec(entry); err != nil {
		t.Fatalf("appending to the audit log: %v", err)
	}
	for _, statement := range []string{
		"CREATE TABLE mine (id int)",
		"CREATE TEMPORARY TABLE mine (id int)",
		"DROP TABLE webhooks",
		"ALTER TABLE webhooks ADD mine int",
		"TRUNCATE webhooks",
		"CREATE INDEX mine ON webhooks (name)",
		"CREATE SCHEMA mine",
		"CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
		"UPDATE audit_entries SET action = 'y'",
		"DELETE FROM audit_entries",
		"TRUNCATE audit_entries",
		"DELETE FROM migrations",
		"SELECT * FROM pg_authid",
		"CREATE ROLE mine",
		"SET ROLE ticketgate_owner",
		"COPY webhooks TO PROGRAM 'true'",
	} {
		if _, err := application.Exec(statement); err == nil || !strings.Contains(err.Error(), "SQLSTATE 42501") {
			t.Errorf("%s: %v, want insufficient privilege (42501)", statement, err)
		}
	}
}

func TestPartitions(t *testing.T) {
	database := dbtest.New(t)
	day := time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC)
	m := migrator(t, database, func() time.Time { return day.Add(13 * time.Hour) })
	owner := open(t, database.OwnerURL)
	insert := func(id string) {
		t.Helper()
		if _, err := owner.Exec(`INSERT INTO events VALUES ($1, 's', 'scan.created', 'dev', 1, '{}', now())`, id); err != nil {
			t.Fatal(err)
		}
	}
	home := func(id string) (table string) {
		t.Helper()
		if err := owner.QueryRow(`SELECT tableoid::regclass FROM events WHERE id = $1`, id).Scan(&table); err != nil {
			t.Fatal(err)
		}
		return table
	}
	// The first and the last version 7 UUID of 1 May 2031, and the first of the next day.
	const (
		first = "01c29c72-0000-7000-8000-000000000000"
		last  = "01c2a198-5bff-7fff-bfff-ffffffffffff"
		next  = "01c2a198-5c00-7000-8000-000000000000"
	)
	insert(first)
	if got := home(first); got != "events_default" {
		t.Fatalf("a row without a partition is in %s", got)
	}
	if err := m.EnsurePartitions(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := home(first); got != "events_20310501" {
		t.Errorf("the row of the default partition is now in %s, want events_20310501", got)
	}
	insert(last)
	insert(next)
	if home(last) != "events_20310501" || home(next) != "events_20310502" {
		t.Errorf("midnight parts %s and %s", home(last), home(next))
	}
	const before = "01c29c71-0000-7000-8000-000000000000" // of the previous day, which has no partition
	insert(before)
	dropped, err := m.DropPartitions(t.Context(), day.AddDate(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if dropped < 3 {
		t.Errorf("dropped %d partitions, want at least one of each table", dropped)
	}
	var left string
	if err := owner.QueryRow("SELECT string_agg(id::text, ' ') FROM events").Scan(&left); err != nil || left != next {
		t.Errorf("%s is left, want %s, %v", left, next, err)
	}
}
