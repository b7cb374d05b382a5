package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestPostgraphileIsLeftOutWithoutNpm(t *testing.T) {
	t.Setenv("PATH", "")
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "package-lock.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := installPostgraphile(t.Context(), folder); !errors.Is(err, errNoPostgraphile) {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsInstalledIsNotInstalledAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	lock, installed := filepath.Join(folder, "lock"), filepath.Join(folder, "installed")
	for _, path := range []string{lock, installed} {
		if newer(installed, lock) {
			t.Errorf("before %s is there", path)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !newer(installed, lock) {
		t.Error("the lock is older, and is installed again")
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(lock, later, later); err != nil {
		t.Fatal(err)
	}
	if newer(installed, lock) {
		t.Error("a newer lock is not installed")
	}
}
