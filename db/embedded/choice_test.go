package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// programs creates folders that look like PostgreSQL's.
func programs(t *testing.T, dirs ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, dir := range dirs {
		path := filepath.Join(root, dir)
		if err := os.MkdirAll(path, 0o750); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"initdb", "postgres"} {
			if err := os.WriteFile(filepath.Join(path, name), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func TestCandidates(t *testing.T) {
	root := programs(t, "lib/9.6/bin", "lib/17/bin", "lib/15/bin", "own")
	patterns := []string{root + "/lib/*/bin"}
	t.Run("takes the newest first where PATH has none", func(t *testing.T) {
		t.Setenv("PATH", "")
		got, err := candidates("", patterns)
		want := []string{root + "/lib/17/bin", root + "/lib/15/bin", root + "/lib/9.6/bin"}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("prefers PATH, with links followed", func(t *testing.T) {
		links := t.TempDir()
		if err := os.Symlink(root+"/lib/15/bin/initdb", links+"/initdb"); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", links)
		got, err := candidates("", patterns)
		if err != nil || got[0] != root+"/lib/15/bin" || got[1] != root+"/lib/17/bin" {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("takes only the setting, and names it if it is wrong", func(t *testing.T) {
		if got, err := candidates(root+"/own", patterns); err != nil || !slices.Equal(got, []string{root + "/own"}) {
			t.Errorf("got %v, %v", got, err)
		}
		if _, err := candidates(root+"/lib", patterns); err == nil || !strings.Contains(err.Error(), "TICKETGATE_POSTGRES_BIN") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("says in one line what to run if there are none", func(t *testing.T) {
		t.Setenv("PATH", "")
		_, bare := candidates("", nil)
		text := fmt.Sprint(bare)
		if !errors.Is(bare, ErrNoBinaries) || !strings.Contains(text, "TICKETGATE_DATABASE_URL") || strings.Contains(text, "\n") {
			t.Errorf("got %s", text)
		}
		t.Setenv("PATH", aptOnly(t))
		_, debian := candidates("", nil)
		if !errors.Is(debian, ErrNoBinaries) || !strings.Contains(debian.Error(), "`apt-get install -y postgresql`") {
			t.Errorf("got %v", debian)
		}
	})
}

// aptOnly returns a PATH like that of a Debian without PostgreSQL.
func aptOnly(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "apt-get"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWithoutOwnCluster(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "postgresql-common", "createcluster.d")
	restore, err := withoutOwnCluster(dir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ticketgate-installs.conf"))
	if err != nil || string(text) != "create_main_cluster = false\n" {
		t.Errorf("the setting is %q, %v", text, err)
	}
	// The packages install a file of their own in the meantime.
	if err := os.WriteFile(filepath.Join(root, "postgresql-common", "createcluster.conf"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	restore()
	if exists(dir) {
		t.Error("a folder is left")
	}
	if !exists(filepath.Join(root, "postgresql-common", "createcluster.conf")) {
		t.Error("the packages' file was deleted")
	}
}

func TestLogFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "postgres.log")
	l := &logFile{path: path}
	line := []byte(strings.Repeat("x", 1023) + "\n")
	for range 4 * maxLogBytes / len(line) {
		if n, err := l.Write(line); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	for _, name := range []string{path, path + ".1"} {
		info, err := os.Stat(name)
		if err != nil || info.Size() > maxLogBytes+int64(len(line)) {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	_, _ = l.Write([]byte("first\nlast words\n"))
	if got := l.last(); !strings.HasSuffix(got, "first | last words") {
		t.Errorf("got %q", got)
	}
	broken := &logFile{path: filepath.Join(t.TempDir(), "missing", "postgres.log")}
	if n, err := broken.Write(line); n != len(line) || err != nil {
		t.Errorf("a log that can't be written must not stop the server: %d, %v", n, err)
	}
}

func TestConfig(t *testing.T) {
	for _, name := range []string{"", "-c", "work_mem=1 -c x", "Work", "a b"} {
		if _, err := (Config{Parameters: map[string]string{name: "1"}}).complete(); err == nil {
			t.Errorf("accepts the setting %q", name)
		}
	}
	if _, err := (Config{Parameters: map[string]string{"auto_explain.log_min_duration": "1"}}).complete(); err != nil {
		t.Error(err)
	}
}

func TestSocketDir(t *testing.T) {
	t.Run("is short however long the data directory", func(t *testing.T) {
		t.Setenv("TMPDIR", "/tmp/"+strings.Repeat("long/", 30))
		dir := socketDirFor("/data/" + strings.Repeat("deep/", 100))
		if len(filepath.Join(dir, socketName)) > 103 {
			t.Errorf("%s is too long", dir)
		}
	})
	t.Run("refuses a folder or link that another user has created", func(t *testing.T) {
		open := filepath.Join(t.TempDir(), "open")
		if err := os.Mkdir(open, 0o750); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(t.TempDir(), link); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{open, link} {
			if err := makeSocketDir(dir, nil); err == nil {
				t.Errorf("takes %s", dir)
			}
		}
	})
}
