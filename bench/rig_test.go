package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ticketgate/db/embedded"
)

// newTestRig returns a rig with an empty database, without the program.
func newTestRig(t *testing.T) *rig {
	t.Helper()
	c, err := sharedCluster(t.Context())
	need(t, err)
	t.Cleanup(c.close)
	r, err := (&ground{cluster: c, folder: t.TempDir()}).newRig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.end)
	return r
}

// need fails the test if a server did not start. It skips the test if PostgreSQL is not installed.
func need(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, embedded.ErrNoBinaries) && os.Getenv("CI") == "" {
		t.Skipf("needs PostgreSQL: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// sharedCluster returns the server that runs around the tests or, if there is none, starts one that stops with them.
func sharedCluster(ctx context.Context) (*cluster, error) {
	if superuser := os.Getenv("TICKETGATE_TEST_SUPERUSER_URL"); superuser != "" {
		return reach(ctx, &cluster{superuser: superuser, close: func() {}})
	}
	server, err := embedded.StartTemporary(ctx)
	if err != nil {
		return nil, err
	}
	return reach(ctx, started(ctx, server))
}

func TestRigEndsInReverseOrder(t *testing.T) {
	t.Parallel()
	var order []string
	r := &rig{remains: &remains{}}
	for _, name := range []string{"database", "server", "worker"} {
		r.onEnd(func() { order = append(order, name) })
	}
	r.end()
	if want := []string{"worker", "server", "database"}; !slices.Equal(order, want) {
		t.Errorf("undone in order %v", order)
	}
}

func TestFailureIncludesLog(t *testing.T) {
	t.Parallel()
	r := &rig{&ground{folder: t.TempDir()}, &remains{}, "x"}
	log, err := r.openLog()
	if err != nil {
		t.Fatal(err)
	}
	_, err = log.WriteString("begins" + strings.Repeat(".", 5000) + "\nport in use\n")
	if err = errors.Join(err, log.Close()); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("not ready")
	explained := r.explain(failure)
	text := explained.Error()
	if !errors.Is(explained, failure) || !strings.HasSuffix(text, "port in use") || strings.Contains(text, "begins") {
		t.Errorf("got %v", explained)
	}
	if r.explain(nil) != nil {
		t.Error("explained a success")
	}
	if filepath.Dir(r.logs[0]) != r.folder {
		t.Errorf("the log is %s", r.logs[0])
	}
}

func TestKeptServerKeepsDatabases(t *testing.T) {
	t.Parallel()
	outer := newTestRig(t)
	kept := *outer.ground
	kept.cluster = &cluster{superuser: outer.cluster.superuser, kept: true}
	for run, want := range []bool{false, true} {
		r := &rig{&kept, &remains{}, outer.name}
		database, err := r.sibling(t.Context(), "_10")
		if err != nil {
			t.Fatal(err)
		}
		marked := database.cluster.execute(t.Context(), database.name, "CREATE TABLE mark ()") != nil
		if marked != want {
			t.Errorf("run %d: the database is from the previous run: %v; want %v", run, marked, want)
		}
		r.end()
	}
	kept.cluster.kept = false
	r := &rig{&kept, &remains{}, outer.name}
	if _, err := r.sibling(t.Context(), "_10"); err != nil {
		t.Fatal(err)
	}
	r.end()
	if exists, err := outer.cluster.has(t.Context(), outer.name+"_10"); err != nil || exists {
		t.Errorf("a database that is not kept was left: %v, %v", exists, err)
	}
}
