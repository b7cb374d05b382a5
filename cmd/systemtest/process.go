package systemtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/db/dbtest"
	"ticketgate/db/embedded"
)

// Exit codes of the program, except 0.
const (
	CodeFailed      = 1
	CodeWrong       = 2
	CodeRefused     = 3
	CodeInterrupted = 130
)

// Binary returns the path of the program, which is built as by `make build`.
func Binary(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal("build the program: ", err)
	}
	return path
}

// built builds the program once per test process. Go does not rebuild a program that is up to date.
var built = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	if err := openSources(root); err != nil {
		return "", err
	}
	folder := filepath.Join(root, "bin", "test")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	lock, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	program := filepath.Join(folder, "ticketgate")
	return program, Build(program)
})

// openSources opens the folders of the sources of the program and the dashboard. Go caches test results by the files
// that a test opens, but can't know from what the program was built. A change of the sources then invalidates them.
func openSources(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir() || path == root:
			return err
		case strings.HasPrefix(entry.Name(), ".") || slices.Contains([]string{"bin", "data", "node_modules"}, entry.Name()):
			return fs.SkipDir
		}
		return nil
	})
}

// moduleRoot returns the folder of go.mod, in or above the working directory.
func moduleRoot() (string, error) {
	folder, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			return folder, nil
		}
		if folder == filepath.Dir(folder) {
			err = errors.New("no go.mod in or above the working directory")
		}
		folder = filepath.Dir(folder)
	}
	return "", err
}

// Build compiles the program as `make build` does, but with additional flags and without the version.
func Build(program string, flags ...string) error {
	arguments := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", program}, flags...)
	build := exec.CommandContext(context.Background(), "go", append(arguments, "ticketgate/cmd/ticketgate")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	return build.Run()
}

// Environment returns a minimal environment for the program with these settings. It excludes the developer's own
// settings.
func Environment(settings ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, settings...)
}

// OnDatabase returns the settings of a process on a test's database. Several processes may share the database.
func OnDatabase(database *dbtest.Database, more ...string) []string {
	return Environment(append([]string{
		"TICKETGATE_DATABASE_URL=" + database.ApplicationURL, "TICKETGATE_DATABASE_OWNER_URL=" + database.OwnerURL,
		"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_SECRET_KEY=" + SecretKey, "TICKETGATE_SYSTEM_TOKEN=" + SystemToken,
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true", "TICKETGATE_DATA_DIR=/nonexistent",
	}, more...)...)
}

// Process is a running process of the program.
type Process struct {
	T      *testing.T
	Cmd    *exec.Cmd
	URL    string
	Stdout *Log
	Stderr *Log
	Ended  chan struct{}
}

// Serve starts a server and returns when it is ready.
func Serve(t *testing.T, environment []string, arguments ...string) *Process {
	t.Helper()
	return ServeBy(t, Binary(t), environment, arguments...)
}

// ServeBy is like Serve, for another build of the program.
func ServeBy(t *testing.T, program string, environment []string, arguments ...string) *Process {
	t.Helper()
	s := startBy(t, program, environment, append([]string{"serve"}, arguments...)...)
	for deadline := time.Now().Add(time.Minute); !strings.Contains(s.Stdout.String(), "\n"); {
		select {
		case <-s.Ended:
			t.Fatal("serve ended before it was ready")
		case <-time.After(5 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatal("serve was not ready after a minute")
		}
	}
	var printed struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal([]byte(s.Stdout.String()), &printed); err != nil {
		t.Fatal(err)
	}
	s.URL = printed.URL
	return s
}

// Start starts the program and returns immediately.
func Start(t *testing.T, environment []string, arguments ...string) *Process {
	t.Helper()
	return startBy(t, Binary(t), environment, arguments...)
}

// startBy starts a program in its own process group. The process is killed at the end of the test. If the test has
// failed, its log is printed.
func startBy(t *testing.T, program string, environment []string, arguments ...string) *Process {
	t.Helper()
	s := &Process{
		T: t, Cmd: exec.CommandContext(context.WithoutCancel(t.Context()), program, arguments...),
		Stdout: &Log{}, Stderr: &Log{}, Ended: make(chan struct{}),
	}
	s.Cmd.Env, s.Cmd.Stdout, s.Cmd.Stderr = environment, s.Stdout, s.Stderr
	s.Cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C goes to a process group, which must not include the tests
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.Cmd.Wait() // the exit code shows how it ended
		close(s.Ended)
	}()
	t.Cleanup(func() {
		s.Signal(syscall.SIGCONT)
		s.Signal(syscall.SIGKILL)
		<-s.Ended
		if t.Failed() {
			t.Logf("log of %v:\n%s", arguments, s.Stderr)
		}
	})
	return s
}

// Signal sends a signal to the process unless it has ended.
func (s *Process) Signal(signal syscall.Signal) { _ = s.Cmd.Process.Signal(signal) }

// Kill kills the process, like a failing machine.
func (s *Process) Kill() {
	s.Signal(syscall.SIGKILL)
	<-s.Ended
}

// Stop sends an interrupt, as Ctrl-C does, and returns the exit code.
func (s *Process) Stop() int {
	s.T.Helper()
	_ = syscall.Kill(-s.Cmd.Process.Pid, syscall.SIGINT)
	select {
	case <-s.Ended:
	case <-time.After(2 * time.Minute):
		s.T.Fatal("the process did not stop within two minutes")
	}
	return s.Cmd.ProcessState.ExitCode()
}

// Run runs the program until it ends.
func Run(t *testing.T, environment []string, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var out, log bytes.Buffer
	cmd := exec.CommandContext(ctx, Binary(t), arguments...)
	cmd.Env, cmd.Stdout, cmd.Stderr = environment, &out, &log
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), log.String()
}

// Seed adds demo data with the program's own command. Most tests use Seeded, which is faster.
func Seed(t *testing.T, environment []string) demo.Data {
	t.Helper()
	code, stdout, stderr := Run(t, environment, "seed", "--json")
	if code != 0 || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("seed: exit code %d, output %q, log %s", code, stdout, stderr)
	}
	var data demo.Data
	if err := json.Unmarshal([]byte(stdout), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// Seeded returns a new database with demo data. The program's own command creates the data once for all tests, because
// it hashes eight passwords, which is slow. Each test gets a copy.
func Seeded(t *testing.T) (*dbtest.Database, demo.Data) {
	t.Helper()
	program, err := os.Stat(Binary(t))
	Must(t, err)
	name := fmt.Sprintf("demo data of the program of %v, %d bytes", program.ModTime().UTC(), program.Size())
	database, note := dbtest.NewFrom(t, name, func(empty *dbtest.Database) (string, error) {
		return Printed(t, Seed(t, OnDatabase(empty))), nil
	})
	var data demo.Data
	Must(t, json.Unmarshal([]byte(note), &data))
	return database, data
}

// Log collects the output of a process. It can be read while the process writes.
type Log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write appends to the log.
func (b *Log) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(p)
}

// String returns what was written so far.
func (b *Log) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}

// PeakMemory returns the peak memory of the process in MiB. It is available only on Linux.
func (s *Process) PeakMemory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Cmd.Process.Pid))
	if err != nil {
		t.Skip("the memory of a process is not available on this system")
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, err := strconv.Atoi(number)
	Must(t, err)
	return kib >> 10
}

// Await waits until the process has printed a text.
func (s *Process) Await(printed *Log, text string) {
	s.T.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(printed.String(), text); {
		if time.Now().After(deadline) {
			s.T.Fatalf("no %q after a minute: %s", text, printed)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// Privately returns the settings of an installation with a private PostgreSQL, and the installation's folder, which the
// server's unprivileged user can access.
func Privately(t *testing.T) (settings []string, folder string) {
	t.Helper()
	if _, _, err := embedded.Find(t.Context(), embedded.Config{DataDir: t.TempDir()}); errors.Is(err, embedded.ErrNoBinaries) &&
		os.Getenv("CI") == "" {
		t.Skipf("needs PostgreSQL: %v", err)
	}
	parent, err := os.MkdirTemp("", "ticketgate-private-") //nolint:usetesting // t.TempDir is closed to the server's user
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(parent) })
	folder = filepath.Join(parent, "data")
	return Environment("TICKETGATE_DATA_DIR="+folder, "TICKETGATE_LISTEN=127.0.0.1:0"), folder
}
