package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ticketgate/db/dbtest"
)

// binary is the program as `make build` makes it, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	_ = os.Setenv("OTEL_BSP_SCHEDULE_DELAY", "50") // milliseconds: who counts statements waits for their spans
	folder, err := os.MkdirTemp("", "ticketgate-binary-")
	if err == nil {
		binary = filepath.Join(folder, "ticketgate")
		err = build(binary)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// build compiles the program as `make build` does, but for the flags.
func build(program string, flags ...string) error {
	arguments := append([]string{"build", "-trimpath", "-buildvcs=false", "-o", program}, flags...)
	build := exec.CommandContext(context.Background(), "go", append(arguments, ".")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	return build.Run()
}

// environment is the least that the program needs, and the settings: nothing of the developer's own.
func environment(settings ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, settings...)
}

// onDatabase are the settings of a process on a test's own database, which may share it with others.
func onDatabase(database *dbtest.Database, more ...string) []string {
	return environment(append([]string{
		"TICKETGATE_DATABASE_URL=" + database.ApplicationURL, "TICKETGATE_DATABASE_OWNER_URL=" + database.OwnerURL,
		"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_SECRET_KEY=" + rightKey, "TICKETGATE_SYSTEM_TOKEN=" + rightToken,
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true", "TICKETGATE_DATA_DIR=/nonexistent",
	}, more...)...)
}

// server is a running program.
type server struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	stdout *logBuffer
	stderr *logBuffer
	ended  chan struct{}
}

// serve starts the program and returns when it has printed that it is ready.
func serve(t *testing.T, environment []string, arguments ...string) *server {
	t.Helper()
	return serveBy(t, binary, environment, arguments...)
}

// serveBy is serve by a program that was built in another way.
func serveBy(t *testing.T, program string, environment []string, arguments ...string) *server {
	t.Helper()
	s := startBy(t, program, environment, append([]string{"serve"}, arguments...)...)
	for deadline := time.Now().Add(time.Minute); !strings.Contains(s.stdout.String(), "\n"); {
		select {
		case <-s.ended:
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
	if err := json.Unmarshal([]byte(s.stdout.String()), &printed); err != nil {
		t.Fatal(err)
	}
	s.url = printed.URL
	return s
}

// start starts the program and returns at once.
func start(t *testing.T, environment []string, arguments ...string) *server {
	t.Helper()
	return startBy(t, binary, environment, arguments...)
}

func startBy(t *testing.T, program string, environment []string, arguments ...string) *server {
	t.Helper()
	s := &server{
		t: t, cmd: exec.CommandContext(context.WithoutCancel(t.Context()), program, arguments...),
		stdout: &logBuffer{}, stderr: &logBuffer{}, ended: make(chan struct{}),
	}
	s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr = environment, s.stdout, s.stderr
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C reaches a group, and not the tests
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait() // the exit code tells how it ended
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.signal(syscall.SIGCONT)
		s.signal(syscall.SIGKILL)
		<-s.ended
		if t.Failed() {
			t.Logf("log of %v:\n%s", arguments, s.stderr)
		}
	})
	return s
}

func (s *server) signal(signal syscall.Signal) { _ = s.cmd.Process.Signal(signal) }

// kill ends the process as a failing machine does.
func (s *server) kill() {
	s.signal(syscall.SIGKILL)
	<-s.ended
}

// stop is Ctrl-C in its terminal; it returns the exit code.
func (s *server) stop() int {
	s.t.Helper()
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGINT)
	select {
	case <-s.ended:
	case <-time.After(2 * time.Minute):
		s.t.Fatal("it did not stop within two minutes")
	}
	return s.cmd.ProcessState.ExitCode()
}

// command runs the program to its end.
func command(t *testing.T, environment []string, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var out, log bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, arguments...)
	cmd.Env, cmd.Stdout, cmd.Stderr = environment, &out, &log
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), log.String()
}

// seed makes a world with the program's own command.
func seed(t *testing.T, environment []string) world {
	t.Helper()
	code, stdout, stderr := command(t, environment, "seed", "--json")
	if code != 0 || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("seed: exit code %d, output %q, log %s", code, stdout, stderr)
	}
	var made world
	if err := json.Unmarshal([]byte(stdout), &made); err != nil {
		t.Fatal(err)
	}
	return made
}

// request is one call of a server; header lines are `Name: value`.
func request(t *testing.T, method, url, body string, header ...string) (int, string) {
	t.Helper()
	status, text, err := tryRequest(t.Context(), http.DefaultClient, method, url, body, header...)
	if err != nil {
		t.Fatal(err)
	}
	return status, text
}

func tryRequest(ctx context.Context, client *http.Client, method, url, body string, header ...string) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}

// member reads one member of a JSON object, such as `data.login.token`.
func member(t *testing.T, text, path string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	found, ok := value.(string)
	if !ok {
		t.Fatalf("no %s in %s", path, text)
	}
	return found
}

// graphQL executes a document as the bearer of a token and returns the answer, which must hold no errors.
func graphQL(t *testing.T, url, token, document string, variables any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	var header []string
	if token != "" {
		header = append(header, "Authorization: Bearer "+token)
	}
	status, text := request(t, http.MethodPost, url+"/graphql", string(body), header...)
	if status != http.StatusOK || strings.Contains(text, `"errors"`) {
		t.Fatalf("%s: %d %s", document, status, text)
	}
	return text
}

// logBuffer can be read while a process writes to it.
type logBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write appends.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(p)
}

// String returns what was written so far.
func (b *logBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}
