//go:build linux

package embedded_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ticketgate/db/embedded"
)

func TestOtherVersion(t *testing.T) {
	dir := seeded(t)
	s := start(t, embedded.Config{DataDir: dir})
	stop(t, s)
	version := filepath.Join(dir, "postgres", "PG_VERSION")
	result, err := os.ReadFile(version)
	check(t, err)
	check(t, os.WriteFile(version, []byte("12\n"), 0o600))
	before := listing(t, filepath.Join(dir, "postgres"))

	_, err = embedded.Start(t.Context(), embedded.Config{DataDir: dir})
	if !errors.Is(err, embedded.ErrOtherVersion) {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"PostgreSQL 12", "installed is " + strings.TrimSpace(string(result)), "TICKETGATE_POSTGRES_BIN"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q doesn't say %q", err, want)
		}
	}
	if after := listing(t, filepath.Join(dir, "postgres")); after != before {
		t.Error("the cluster was changed")
	}
	check(t, os.WriteFile(version, result, 0o600))
	start(t, embedded.Config{DataDir: dir})
}

func TestForeignFiles(t *testing.T) {
	dir := dataDir(t)
	letter := filepath.Join(dir, "postgres", "letter.txt")
	check(t, os.Mkdir(filepath.Dir(letter), 0o750))
	check(t, os.WriteFile(letter, []byte("dear"), 0o600))
	if os.Geteuid() == 0 {
		check(t, os.Lchown(filepath.Dir(letter), 65534, 65534))
	}
	_, err := embedded.Start(t.Context(), embedded.Config{DataDir: dir})
	if err == nil || !strings.Contains(err.Error(), "holds no PostgreSQL cluster") {
		t.Errorf("got %v", err)
	}
	if text, err := os.ReadFile(letter); err != nil || string(text) != "dear" {
		t.Errorf("the letter is %q, %v", text, err)
	}
}

// listing returns every file with its size and modification time.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	check(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err == nil {
			b.WriteString(path + " " + info.ModTime().String() + " " + info.Mode().String() + "\n")
		}
		return err
	}))
	return b.String()
}

// ordinaryUser is the id of a user without privileges.
const ordinaryUser = 65534

func TestUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can start as several users; run as this one, every other test shows the ordinary user's side")
	}
	dir := dataDir(t)
	check(t, os.Lchown(dir, ordinaryUser, ordinaryUser))
	t.Run("serves an ordinary user as that user, and ends with it", func(t *testing.T) {
		p := launch(t, dir, &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser})
		url := p.mustServe(t)
		run(t, url, "create table kept as select 'still here' as text")
		postmaster, supervisor := postmasterOf(t, dir)
		if userOf(t, postmaster) != ordinaryUser || userOf(t, supervisor) != ordinaryUser {
			t.Errorf("runs as %d and %d", userOf(t, postmaster), userOf(t, supervisor))
		}
		ends := []ending{watch(t, postmaster), watch(t, supervisor)}
		check(t, p.cmd.Process.Kill())
		for _, e := range ends {
			e.await(t, "a process")
		}
		mustBeQuiet(t, filepath.Join(dir, "postgres"), url)
	})
	t.Run("runs as the owner of the cluster when root starts it", func(t *testing.T) {
		s := start(t, embedded.Config{DataDir: dir})
		if got := value(t, s.OwnerURL(), "select text from kept"); got != "still here" {
			t.Errorf("got %q", got)
		}
		postmaster, supervisor := postmasterOf(t, dir)
		if userOf(t, postmaster) != ordinaryUser || userOf(t, supervisor) != 0 {
			t.Errorf("runs as %d and %d", userOf(t, postmaster), userOf(t, supervisor))
		}
		stop(t, s)
	})
	t.Run("leaves the directory usable by its owner after root's turn", func(t *testing.T) {
		p := launch(t, dir, &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser})
		if got := value(t, p.mustServe(t), "select text from kept"); got != "still here" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("names the path when it refuses another user's cluster", func(t *testing.T) {
		foreign := seeded(t)
		check(t, os.Lchown(foreign, ordinaryUser, ordinaryUser))
		p := launch(t, foreign, &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser})
		if a := p.says(t); !strings.Contains(a.Error, "another user") || !strings.Contains(a.Error, foreign) {
			t.Errorf("got %+v", a)
		}
	})
}

func TestUnreachableDataDir(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root's server runs as another user, who may be unable to reach the directory")
	}
	outer := dataDir(t)
	check(t, os.Chmod(outer, 0o700))
	fallback := dataDir(t)
	var log bytes.Buffer
	c := embedded.Config{DataDir: filepath.Join(outer, "data"), FallbackDir: fallback, Log: slog.New(slog.NewTextHandler(&log, nil))}
	link := filepath.Join(c.DataDir, "postgres")

	first := start(t, c)
	run(t, first.OwnerURL(), "create table kept as select 'still here' as text")
	cluster, err := os.Readlink(link)
	check(t, err)
	if filepath.Dir(cluster) != fallback || !strings.Contains(log.String(), cluster) {
		t.Errorf("cluster in %s, log %q", cluster, log.String())
	}
	owner, _, err := embedded.Running(c.DataDir)
	if err != nil || owner != first.OwnerURL() {
		t.Errorf("Running: %s, %v", owner, err)
	}
	stop(t, first)

	second := start(t, c)
	if got := value(t, second.OwnerURL(), "select text from kept"); got != "still here" {
		t.Errorf("got %q", got)
	}
	stop(t, second)

	// If the data directory is deleted, a new cluster is created and the old one is kept.
	check(t, os.RemoveAll(c.DataDir))
	third := start(t, c)
	if got := value(t, third.OwnerURL(), "select count(*)::text from pg_tables where tablename = 'kept'"); got != "0" {
		t.Error("the deleted cluster came back")
	}
	if !isThere(filepath.Join(cluster, "PG_VERSION")) {
		t.Error("the old cluster was deleted")
	}
	stop(t, third)

	check(t, os.Remove(link))
	check(t, os.Symlink(filepath.Join(fallback, "gone"), link))
	if _, err := embedded.Start(t.Context(), c); err == nil || !strings.Contains(err.Error(), "no longer exists") {
		t.Errorf("a dangling link: %v", err)
	}
}
