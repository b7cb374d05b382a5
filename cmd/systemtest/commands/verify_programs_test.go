package commands

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain/webhook"
)

const verifyPrograms = "../../../docs/verify-signature/"

// The example programs that verify signatures (docs/verify-signature), each run in its language.
func TestProgramsThatVerifySignatures(t *testing.T) {
	t.Parallel()
	const key = "clé & \"key\""
	body := []byte("{\"id\":\"1\",\"data\":{\"ticket\":{\"name\":\"Zoë\u2028<&>\"}}}")
	right := webhook.Sign([]byte(key), body)
	for language, command := range map[string]func(*testing.T) []string{
		"Go":         systemtest.NeedsProgram("go", "run", verifyPrograms+"verify.go"),
		"TypeScript": typescript,
		"Python":     systemtest.NeedsProgram("python3", verifyPrograms+"verify.py"),
		"PHP":        systemtest.NeedsProgram("php", verifyPrograms+"verify.php"),
		"Java":       systemtest.NeedsProgram("java", verifyPrograms+"Verify.java"),
		"Ruby":       systemtest.NeedsProgram("ruby", verifyPrograms+"verify.rb"),
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			arguments := command(t)
			for _, c := range []struct{ name, signature, key, want string }{
				{"right", right, key, "true"},
				{"in upper case", strings.ToUpper(right), key, "true"},
				{"of another key", right, "other", "false"},
				{"cut short", right[:62], key, "false"},
				{"not a digest", "x", key, "false"},
				{"empty", "", key, "false"},
				{"with hexadecimal characters appended", right + "zz", key, "false"},
				{"with a word appended", right + " junk", key, "false"},
				{"with a line break appended", right + "\n", key, "false"},
				{"with a digit appended", right + "0", key, "false"},
				{"the same length, with non-ASCII characters", strings.Repeat("é", len(right)), key, "false"},
				{"the same length, with invalid UTF-8", strings.Repeat("\xe9", len(right)), key, "false"},
			} {
				run := exec.CommandContext(t.Context(), arguments[0], append(arguments[1:len(arguments):len(arguments)], c.signature, c.key)...)
				run.Stdin, run.Stderr = strings.NewReader(string(body)), os.Stderr
				printed, err := run.Output()
				if got := strings.TrimSpace(string(printed)); err != nil || got != c.want {
					t.Errorf("%s: %q, %v, want %s", c.name, got, err, c.want)
				}
			}
		})
	}
}

// The example listener must survive any input (docs/first-webhook.md).
func TestTheExampleListenerSurvivesAnyInput(t *testing.T) {
	t.Parallel()
	systemtest.NeedsProgram("node")(t)
	const key = "key"
	body := `{"id":"1","type":"ticket.created"}`
	right := webhook.Sign([]byte(key), []byte(body))
	url := exampleListener(t, key)
	call := func(signature string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		systemtest.Must(t, err)
		request.Header.Set("X-Service-Signature", signature)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatalf("signed %q: %v", signature, err)
		}
		systemtest.Must(t, answer.Body.Close())
		return answer.StatusCode
	}
	for _, signature := range []string{
		"", "x", right[:62], right + "zz", right + " junk", right + "0",
		strings.Repeat("\xe9", len(right)), strings.Repeat("é", len(right)), strings.Repeat("é", len(right)/2),
	} {
		if status := call(signature); status != http.StatusUnauthorized {
			t.Errorf("signed %q: %d", signature, status)
		}
	}
	brokenOff(t, url)
	for _, step := range []struct {
		signature string
		status    int
	}{{right, http.StatusInternalServerError}, {strings.ToUpper(right), http.StatusOK}} { // the first call is refused, to see a retry
		if status := call(step.signature); status != step.status {
			t.Errorf("signed %q: %d, want %d", step.signature, status, step.status)
		}
	}
}

// exampleListener starts docs/listener.mjs and returns its URL.
func exampleListener(t *testing.T, key string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), "node", "../../../docs/listener.mjs", "0", key, filepath.Join(t.TempDir(), "body"))
	printed, err := run.StdoutPipe()
	systemtest.Must(t, err)
	systemtest.Must(t, run.Start())
	lines := bufio.NewReader(printed)
	first, err := lines.ReadString('\n')
	systemtest.Must(t, err)
	var rest sync.WaitGroup
	rest.Go(func() { _, _ = io.Copy(io.Discard, lines) })
	t.Cleanup(func() {
		_ = run.Process.Kill() // it may have ended already, which the calls have detected
		rest.Wait()
		_ = run.Wait()
	})
	return strings.TrimSpace(strings.TrimPrefix(first, "listening on "))
}

// brokenOff sends a part of a call, and returns when the listener has noticed its end.
func brokenOff(t *testing.T, url string) {
	t.Helper()
	host, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
	systemtest.Must(t, err)
	_, err = connection.Write([]byte("POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"))
	systemtest.Must(t, err)
	half, ok := connection.(*net.TCPConn)
	if !ok {
		t.Fatalf("%T", connection)
	}
	systemtest.Must(t, half.CloseWrite())
	_, _ = io.Copy(io.Discard, connection) // until the listener closes too
	systemtest.Must(t, connection.Close())
}

// typescript strips the types with the dashboard's compiler, because not every Node can.
func typescript(t *testing.T) []string {
	t.Helper()
	systemtest.NeedsProgram("node")(t)
	if _, err := os.Stat(systemtest.PagesFolder + "node_modules/vite"); err != nil {
		systemtest.Missing(t, "the dashboard's Vite (make dashboard)")
	}
	source, err := filepath.Abs(verifyPrograms + "verify.ts")
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "verify.mjs")
	const transpile = `import { readFileSync, writeFileSync } from 'node:fs';
		import { transformWithOxc } from 'vite';
		const { code } = await transformWithOxc(readFileSync(process.argv[1], 'utf8'), 'verify.ts');
		writeFileSync(process.argv[2], code);`
	run := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", transpile, source, plain)
	run.Dir = systemtest.PagesFolder
	if printed, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	return []string{"node", plain}
}
