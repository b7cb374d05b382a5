package jobs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"

	"ticketgate/db/dbtest"
	"ticketgate/jobs"
)

// A newer River may have other tables. Before MigrationVersion is raised, check every statement in river_tables.go
// against the migrations that River adds.
func TestStatementsMatchRiverVersion(t *testing.T) {
	t.Parallel()
	migrator, err := rivermigrate.New(riverdatabasesql.New(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	versions := migrator.AllVersions()
	if latest := versions[len(versions)-1].Version; latest != jobs.MigrationVersion {
		t.Errorf("River's tables have version %d; the statements of river_tables.go were written for %d", latest, jobs.MigrationVersion)
	}
}

// Each statement on River's tables is in river_tables.go, with the reason for it.
func TestStatementsOnRiversTablesAreInOneFile(t *testing.T) {
	t.Parallel()
	allowed := []string{"jobs/river_tables.go", "jobs/jobstest/jobstest.go", "bench/river.go"}
	found := 0
	for _, tree := range []string{"bench", "cmd", "db", "domain", "graph", "jobs", "rest"} {
		root := os.DirFS("..")
		err := fs.WalkDir(root, tree, func(path string, entry fs.DirEntry, err error) error {
			name := filepath.Base(path)
			if err != nil || entry.IsDir() || (!strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".sql")) {
				return err
			}
			text, err := fs.ReadFile(root, path)
			if err != nil || !riversTable.Match(text) || path == "jobs/river_tables_test.go" || path == "db/migrate_test.go" {
				return err
			}
			if found++; !slices.Contains(allowed, path) {
				t.Errorf("%s has a statement on River's tables", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found != len(allowed) {
		t.Errorf("%d files of %d have such statements", found, len(allowed))
	}
}

var riversTable = regexp.MustCompile(`\briver_(job|queue|leader|client|migration|notification)\b`)

func TestDepthsCountJobsByQueueAndState(t *testing.T) {
	t.Parallel()
	pool, err := jobs.NewPool(t.Context(), dbtest.New(t).ApplicationURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, queue, state, max_attempts, finalized_at)
		SELECT 'k', '{}'::jsonb, 'webhook_first', 'available'::river_job_state, 1, NULL::timestamptz FROM generate_series(1, 3)
		UNION ALL SELECT 'k', '{}'::jsonb, 'webhook_retry', 'scheduled', 1, NULL
		UNION ALL SELECT 'k', '{}'::jsonb, 'webhook_retry', 'completed', 1, now()
		UNION ALL SELECT 'k', '{}', 'another', 'available', 1, NULL`); err != nil {
		t.Fatal(err)
	}
	depths, err := jobs.Depths(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	counted := map[jobs.Depth]bool{}
	for _, depth := range depths {
		counted[depth] = true
	}
	for _, want := range []jobs.Depth{
		{"webhook_first", "available", 3},
		{"webhook_first", "running", 0},
		{"webhook_retry", "scheduled", 1},
		{"webhook_by_hand", "discarded", 0},
	} {
		if !counted[want] {
			t.Errorf("no %+v in %+v", want, depths)
		}
	}
	if len(depths) != 7*6 {
		t.Errorf("%d rows, want one for each of seven queues and six states", len(depths))
	}
}
