//go:build linux

package embedded_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"ticketgate/db/embedded"
)

// The tests kill real processes, so the test binary also plays the program that is killed. With this variable it
// serves a data directory.
const serveVariable = "EMBEDDED_TEST_SERVE"

// bound is the time limit of steps that normally take milliseconds, for a busy machine.
const bound = 30 * time.Second

func TestMain(m *testing.M) {
	if dir := os.Getenv(serveVariable); dir != "" {
		os.Exit(serve(dir))
	}
	code := m.Run()
	_ = os.RemoveAll(seedDir)
	os.Exit(code)
}

// answer is the line that a serving process writes to standard output.
type answer struct {
	Owner string `json:"owner"`
	Error string `json:"error"`
}

// serve starts a server (a temporary one for "temporary"), reports it, and stops it when the input closes.
func serve(dir string) int {
	ctx := context.Background()
	var s *embedded.Server
	var err error
	if dir == "temporary" {
		s, err = embedded.StartTemporary(ctx)
	} else {
		s, err = embedded.Start(ctx, embedded.Config{DataDir: dir})
	}
	a := answer{}
	if err != nil {
		a.Error = err.Error()
	} else {
		a.Owner = s.OwnerURL()
	}
	if err := json.NewEncoder(os.Stdout).Encode(a); err != nil {
		return 1
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if s != nil && s.Stop(ctx) != nil {
		return 1
	}
	return 0
}

// process is a running copy of this test binary.
type process struct {
	cmd    *exec.Cmd
	input  io.WriteCloser
	output *bufio.Reader
}

// launch runs a copy that serves dir, as the given user if any.
func launch(t *testing.T, dir string, as *syscall.Credential) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Dir, cmd.Env = "/", append(os.Environ(), serveVariable+"="+dir)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	in, err := cmd.StdinPipe()
	check(t, err)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	p := &process{cmd: cmd, input: in, output: bufio.NewReader(out)}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return p
}

// says waits for the process's line.
func (p *process) says(t *testing.T) answer {
	t.Helper()
	var a answer
	line, err := p.output.ReadBytes('\n')
	check(t, err)
	check(t, json.Unmarshal(line, &a))
	return a
}

func (p *process) mustServe(t *testing.T) string {
	t.Helper()
	a := p.says(t)
	if a.Error != "" {
		t.Fatal(a.Error)
	}
	return a.Owner
}

// dataDir creates a directory that other users can pass through.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "ticketgate-embedded-") //nolint:usetesting // t.TempDir is closed to other users
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	check(t, os.Chmod(dir, 0o711))
	return dir
}

// seedDir holds the cluster that seeded copies, once it exists.
var seedDir string

// seeded returns a dataDir with an existing, cleanly stopped cluster. Most tests are about what follows
// initialization, the slowest step.
func seeded(t *testing.T) string {
	t.Helper()
	if seedDir == "" {
		dir, err := os.MkdirTemp("/tmp", "ticketgate-embedded-seed-") //nolint:usetesting // it outlives the test
		check(t, err)
		check(t, os.Chmod(dir, 0o711))
		seedDir = dir
		s := start(t, embedded.Config{DataDir: dir})
		stop(t, s)
	}
	dir := dataDir(t)
	check(t, exec.CommandContext(t.Context(), "cp", "-a", filepath.Join(seedDir, "postgres"), dir).Run())
	return dir
}

// start starts a server of this process, which is stopped with the test.
func start(t *testing.T, c embedded.Config) *embedded.Server {
	t.Helper()
	s, err := embedded.Start(t.Context(), c)
	check(t, err)
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *embedded.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	check(t, s.Stop(ctx))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// connect opens a connection for the test.
func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func run(t *testing.T, url, sql string) {
	t.Helper()
	_, err := connect(t, url).Exec(t.Context(), sql)
	check(t, err)
}

// value returns the result of a query as text.
func value(t *testing.T, url, sql string) string {
	t.Helper()
	var v string
	check(t, connect(t, url).QueryRow(t.Context(), sql).Scan(&v))
	return v
}

// postmasterOf returns the server's process and its parent, the supervisor.
func postmasterOf(t *testing.T, dir string) (postmaster, supervisor int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	check(t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	postmaster, err = strconv.Atoi(first)
	check(t, err)
	return postmaster, parentOf(t, postmaster)
}

func parentOf(t *testing.T, pid int) int {
	t.Helper()
	var status syscall.Stat_t
	check(t, syscall.Stat(fmt.Sprintf("/proc/%d", pid), &status))
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	check(t, err)
	// The name in parentheses may contain anything, so fields are counted from after it.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	parent, err := strconv.Atoi(fields[1])
	check(t, err)
	return parent
}

// userOf returns the user that a process runs as.
func userOf(t *testing.T, pid int) uint32 {
	t.Helper()
	var status syscall.Stat_t
	check(t, syscall.Stat(fmt.Sprintf("/proc/%d", pid), &status))
	return status.Uid
}

// ending is a handle on a process, so that its end can be awaited even if its id is reused.
type ending int32

func watch(t *testing.T, pid int) ending {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	check(t, err)
	t.Cleanup(func() { _ = unix.Close(fd) })
	return ending(fd)
}

func (e ending) await(t *testing.T, what string) {
	t.Helper()
	var n int
	err := error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		n, err = unix.Poll([]unix.PollFd{{Fd: int32(e), Events: unix.POLLIN}}, int(bound.Milliseconds()))
	}
	if err != nil || n != 1 {
		t.Fatalf("%s is still alive after %s (%v)", what, bound, err)
	}
}

// mustBeQuiet fails if a process works in the cluster or the socket still exists.
func mustBeQuiet(t *testing.T, cluster, url string) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	check(t, err)
	for _, link := range links {
		if dir, err := os.Readlink(link); err == nil && strings.HasPrefix(dir, cluster) {
			t.Errorf("%s is still working in the cluster", link)
		}
	}
	if dir := socketDirOf(t, url); isThere(dir) {
		t.Errorf("the socket's folder %s still exists", dir)
	}
}

func socketDirOf(t *testing.T, url string) string {
	t.Helper()
	c, err := pgx.ParseConfig(url)
	check(t, err)
	return c.Host
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// created returns a function that waits until an entry of that name appears in dir. The watch starts immediately.
func created(t *testing.T, dir, name string) (await func()) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	check(t, err)
	t.Cleanup(func() { _ = unix.Close(fd) })
	_, err = unix.InotifyAddWatch(fd, dir, unix.IN_CREATE)
	check(t, err)
	return func() {
		buffer := make([]byte, 4096)
		for {
			n, err := unix.Read(fd, buffer)
			check(t, err)
			if strings.Contains(string(buffer[:n]), name) {
				return
			}
		}
	}
}

// clusterOfSupervisor reads the cluster from the supervisor's command line.
func clusterOfSupervisor(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	check(t, err)
	return strings.Split(string(text), "\x00")[2]
}
