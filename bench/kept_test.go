package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLoadedDataOutlivesTheServer(t *testing.T) {
	t.Parallel()
	outer := newTestRig(t)
	outer.keep = temporaryFolder(t)
	for run, want := range []bool{false, true} {
		bench := &rig{outer.ground, &remains{}, outer.name}
		r, err := bench.kept(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		exists, err := r.cluster.has(t.Context(), "kept_10")
		if err != nil || exists != want {
			t.Errorf("run %d: the database exists: %v, %v; want %v", run, exists, err, want)
		}
		if _, err := r.sibling(t.Context(), "_10"); err != nil {
			t.Fatal(err)
		}
		bench.end() // stops the server
	}
}

// temporaryFolder returns a folder for the data of a server. PostgreSQL doesn't run as root, so another user must be able to
// enter it.
func temporaryFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Chmod(filepath.Dir(folder), 0o711); err != nil {
		t.Fatal(err)
	}
	return folder
}
