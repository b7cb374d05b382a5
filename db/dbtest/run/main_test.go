package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// With this variable the test binary is the program itself, so that it can get signals and be killed.
const runVariable = "DBTEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(runVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program runs a shell script with a server.
func program(t *testing.T, script string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "--", "sh", "-c", script)
	cmd.Env = append(os.Environ(), runVariable+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewReader(out)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	text, err := r.ReadString('\n')
	check(t, err)
	return strings.TrimSpace(text)
}

// cluster asks the server for its data directory.
func cluster(t *testing.T, url string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	check(t, err)
	defer conn.Close(context.Background())
	var dir string
	check(t, conn.QueryRow(t.Context(), "select current_setting('data_directory')").Scan(&dir))
	return dir
}

func mustBeGone(t *testing.T, dir, url string) {
	t.Helper()
	c, err := pgx.ParseConfig(url)
	check(t, err)
	for _, path := range []string{filepath.Dir(dir), c.Host} {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s still exists (%v)", path, err)
		}
	}
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	check(t, err)
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, dir) {
			t.Errorf("%s is still working in the cluster", link)
		}
	}
}

func code(err error) int {
	if ended, is := errors.AsType[*exec.ExitError](err); is {
		return ended.ExitCode()
	}
	return 0
}

func TestRun(t *testing.T) {
	// Commands wait until the test writes to it.
	fifo := filepath.Join(t.TempDir(), "fifo")
	check(t, syscall.Mkfifo(fifo, 0o600))

	t.Run("gives the command a server, passes on its exit code and leaves nothing behind", func(t *testing.T) {
		cmd, out := program(t, "echo $"+variable+"; read _ <"+fifo+"; exit 7")
		url := line(t, out)
		dir := cluster(t, url)
		check(t, os.WriteFile(fifo, []byte("\n"), 0o600))
		if got := code(cmd.Wait()); got != 7 {
			t.Errorf("exit code %d", got)
		}
		mustBeGone(t, dir, url)
	})
	t.Run("forwards a signal and reports the command's end by it", func(t *testing.T) {
		cmd, out := program(t, "echo $"+variable+"; read _ <"+fifo)
		url := line(t, out)
		dir := cluster(t, url)
		check(t, cmd.Process.Signal(syscall.SIGTERM))
		if got := code(cmd.Wait()); got != exitSignalBase+int(syscall.SIGTERM) {
			t.Errorf("exit code %d", got)
		}
		mustBeGone(t, dir, url)
	})
	t.Run("leaves neither server nor command when it is killed", func(t *testing.T) {
		// A grandchild that holds the output, like a test binary below `go test`.
		cmd, out := program(t, "echo $"+variable+"; cat "+fifo+" & wait")
		url := line(t, out)
		dir := cluster(t, url)
		alive, err := os.Open(filepath.Join(filepath.Dir(dir), "postgres.alive"))
		check(t, err)
		defer alive.Close()
		check(t, cmd.Process.Kill())
		if rest, err := io.ReadAll(out); err != nil || len(rest) != 0 {
			t.Errorf("read %q, %v", rest, err)
		}
		// It becomes free when supervisor and server have ended.
		check(t, syscall.Flock(int(alive.Fd()), syscall.LOCK_EX))
		mustBeGone(t, dir, url)
	})
	t.Run("shows its usage if there is no command", func(t *testing.T) {
		if got := run([]string{"--"}); got != exitUsage {
			t.Errorf("exit code %d", got)
		}
	})
	t.Run("reports it if the command can't be run", func(t *testing.T) {
		if got := run([]string{filepath.Join(t.TempDir(), "missing")}); got != exitCannotRun {
			t.Errorf("exit code %d", got)
		}
	})
}
