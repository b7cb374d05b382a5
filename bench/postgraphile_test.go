package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestPostgraphileIsSkippedWithoutNpm(t *testing.T) {
	t.Setenv("PATH", "")
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "package-lock.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := installPostgraphile(t.Context(), folder); !errors.Is(err, errNoPostgraphile) {
		t.Errorf("got %v", err)
	}
}

func TestInstalledPackagesAreNotInstalledAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	lock, installed := filepath.Join(folder, "lock"), filepath.Join(folder, "installed")
	if err := os.WriteFile(lock, []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if equalFiles(installed, lock) {
		t.Error("an empty folder counts as installed")
	}
	if err := copyFile(installed, lock); err != nil || !equalFiles(installed, lock) {
		t.Errorf("an installed package would be installed again: %v", err)
	}
	if err := os.WriteFile(lock, []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if equalFiles(installed, lock) {
		t.Error("a different lock file counts as installed")
	}
}
