package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// ErrNoBinaries means that no initdb and postgres were found. The error that wraps it says in one line what to run.
var ErrNoBinaries = errors.New("PostgreSQL is not installed (no initdb and postgres found)")

// ErrOtherVersion means that the cluster belongs to a major version that is not installed. The error that wraps it
// names both versions and the solutions.
var ErrOtherVersion = errors.New("cluster of another PostgreSQL version")

// distributionFolders are where packages put the programs, often off PATH:
// Debian, Red Hat's PGDG, SUSE, Alpine, a build from source, Homebrew.
var distributionFolders = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/usr/lib/postgresql[1-9]*/bin",
	"/usr/libexec/postgresql[1-9]*",
	"/usr/local/pgsql/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

var (
	versionText   = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)
	versionFolder = regexp.MustCompile(`(\d+)(?:\.\d+)?(?:/bin)?$`)
)

// binaries is a folder with initdb and postgres of one major version.
type binaries struct {
	dir   string
	major int
}

// candidates returns the folders to try, best first: only the setting if there is one, otherwise PATH, then the
// folders of distributions, newest first.
func candidates(setting string, patterns []string) ([]string, error) {
	if setting != "" {
		if !hasPrograms(setting) {
			return nil, fmt.Errorf("TICKETGATE_POSTGRES_BIN: %s does not contain initdb and postgres", setting)
		}
		return []string{setting}, nil
	}
	var found []string
	if initdb, err := exec.LookPath("initdb"); err == nil {
		// Resolved, because PATH often contains links to only some of the programs, and initdb looks for postgres in
		// its own folder.
		if resolved, err := filepath.EvalSymlinks(initdb); err == nil {
			found = append(found, filepath.Dir(resolved))
		}
	}
	found = append(found, newestFirst(patterns)...)
	found = slices.DeleteFunc(found, func(dir string) bool { return !hasPrograms(dir) })
	if len(found) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoBinaries, advice())
	}
	return found, nil
}

// newestFirst returns the folders that match the patterns, with the highest version first.
func newestFirst(patterns []string) []string {
	var dirs []string
	for _, pattern := range patterns {
		matches, _ := filepath.Glob(pattern)
		dirs = append(dirs, matches...)
	}
	version := func(dir string) int {
		if m := versionFolder.FindStringSubmatch(dir); m != nil {
			n, _ := strconv.Atoi(m[1])
			return n
		}
		return 0
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return version(b) - version(a) })
	return dirs
}

func hasPrograms(dir string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return true
}

// choose returns the first candidate that the account can run. If major isn't 0, it must have that version: the older
// programs that the cluster needs often remain after an upgrade of the distribution.
func choose(ctx context.Context, dirs []string, a *account, major int) (binaries, error) {
	var found []string
	var failed error
	for _, dir := range dirs {
		b, err := probe(ctx, dir, a, "/")
		switch {
		case err != nil:
			failed = err
		case major == 0 || b.major == major:
			return b, nil
		default:
			found = append(found, fmt.Sprintf("%d (%s)", b.major, dir))
		}
	}
	if found == nil {
		return binaries{}, fmt.Errorf("private PostgreSQL: %w", failed)
	}
	return binaries{}, fmt.Errorf("%w: made by PostgreSQL %d, installed is %s; nothing was changed; "+
		"install PostgreSQL %d or name its folder in TICKETGATE_POSTGRES_BIN "+
		"(to upgrade: pg_dump, a new data directory, psql)", ErrOtherVersion, major, strings.Join(found, ", "), major)
}

// probe asks postgres for its version, as the user it will run as and with dir as the working directory. The kernel
// thereby checks whether that user may run the program and reach the directory.
func probe(ctx context.Context, bin string, a *account, dir string) (binaries, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "postgres"), "--version") //nolint:gosec // the operator's PostgreSQL
	cmd.Dir, cmd.Env = dir, environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential()}
	out, err := cmd.Output()
	if err != nil {
		return binaries{}, fmt.Errorf("%s/postgres --version in %s: %w", bin, dir, err)
	}
	m := versionText.FindSubmatch(out)
	if m == nil {
		return binaries{}, fmt.Errorf("%s/postgres --version: %q has no version", bin, out)
	}
	major, err := strconv.Atoi(string(m[1]))
	return binaries{dir: bin, major: major}, err
}

// clusterVersion returns the major version that created the cluster, or 0 if there is no cluster.
func clusterVersion(cluster string) (int, error) {
	text, err := os.ReadFile(filepath.Join(cluster, "PG_VERSION")) //nolint:gosec // the operator's data directory
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if errors.Is(err, os.ErrPermission) {
		return 0, fmt.Errorf("private PostgreSQL: %s belongs to another user; "+
			"start as that user or as root, or set another TICKETGATE_DATA_DIR: %w", cluster, err)
	}
	if err != nil {
		return 0, fmt.Errorf("private PostgreSQL: %w", err)
	}
	// Before version 10 the major version had two parts. Such a version only needs to differ from those in use.
	whole, _, _ := strings.Cut(strings.TrimSpace(string(text)), ".")
	major, err := strconv.Atoi(whole)
	if err != nil {
		return 0, fmt.Errorf("private PostgreSQL: %s/PG_VERSION contains %q, which is not a version", cluster, text)
	}
	return major, nil
}

// environment returns the complete environment for the server's processes. The caller's is not passed on: it may
// contain secrets, and PG* variables that would change the server.
func environment() []string {
	env := []string{"LC_ALL=C"}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "TMPDIR"} {
		if value, set := os.LookupEnv(name); set {
			env = append(env, name+"="+value)
		}
	}
	return env
}
