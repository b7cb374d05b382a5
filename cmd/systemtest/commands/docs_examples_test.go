package commands

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain/webhook"
)

const docsFolder = "../../../docs/"

// TestExamplesOfTheDocs runs the examples of each page from top to bottom, in one shell. Each page must print the given
// parts, in this order.
func TestExamplesOfTheDocs(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "curl", "node", "python3", "openssl"} {
		systemtest.NeedsProgram(program)(t)
	}
	database, data := systemtest.Seeded(t)
	running := systemtest.Serve(t, systemtest.OnDatabase(database))
	seller := data.Sellers[0]
	environment := systemtest.Environment("TICKETGATE="+running.URL, "KEY="+seller.APIKey, "SELLER="+string(seller.SellerID),
		"EVENT="+seller.EventID, "TICKET_TYPE="+seller.TicketTypeID, "BARCODE="+seller.Barcode)
	for page, wanted := range map[string][]string{
		"quickstart":              {`"permissions"`, "200 {", "200 {", `"name":"Season cards"`, `"nodes":[{"_id"`},
		"concepts":                {`"ticketTypes":{"nodes":[{"name"`, `"inside":`},
		"webhooks":                {`"name":"Shop"`, `"state":"pending"`},
		"gate":                    {`"total":`, `"checkedIn":`},
		"access-lists":            {`"externalCode":"M-0001"`, `"docs":[{`, `"added":1`},
		"catalog":                 {`"name":"Concert"`},
		"checkout":                {`"status":"NEW"`, `"status":"DETAILS"`, `"status":"COMPLETE"`, "true NEW"},
		"purchase-intents":        {`"status":"CREATED"`},
		"invoices":                {`"invoices":{"nodes":[`},
		"rest":                    {`"docs":[`, `"openapi"`},
		"graphql":                 {`"ticketTypes":{"nodes":[`, "name:"},
		"errors":                  {"VALIDATION_FAILED", "VALIDATION_FAILED", "- url ", `"name":"Guests"`},
		"limits":                  {"-Limit:", "-Remaining:", "-Reset:", "200 {", "{'docs':"},
		"paging":                  {`"total":`, "access lists", `"hasNextPage"`, "tickets"},
		"idempotency":             {`"name":"Season cards 2027"`, `"name":"Season cards 2027"`},
		"changelog":               {`"version":`},
		"credentials":             {`"permissions"`},
		"security":                {"no-store"},
		"permissions":             {`"permissions"`},
		"events":                  {`"type":"ticket.created"`},
		"verify-signature/README": {"= "},
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			printed := ran(t, examplesOf(t, page), environment)
			rest := printed
			for _, part := range wanted {
				_, after, found := strings.Cut(rest, part)
				if !found {
					t.Fatalf("no %s in the rest of\n%s", part, printed)
				}
				rest = after
			}
			if strings.Contains(printed, `"errors":[`) {
				t.Errorf("an example failed:\n%s", printed)
			}
		})
	}
}

var example = regexp.MustCompile("(?s)\n```(sh|js|python)\n(.*?)```")

// notRun matches the starts of examples that need another environment: an installation, a terminal, or a port.
var notRun = regexp.MustCompile(`^(export |make |ticketgate )|(?s)createServer|HTTPServer`)

// examplesOf returns the examples of a page as one shell script.
func examplesOf(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(docsFolder + page + ".md")
	systemtest.Must(t, err)
	var script strings.Builder
	for _, block := range example.FindAllStringSubmatch(string(text), -1) {
		language, code := block[1], block[2]
		if notRun.MatchString(code) {
			continue
		}
		switch language {
		case "js":
			code = "node --input-type=module - <<'END'\n" + code + "END\n"
		case "python":
			code = "python3 - <<'END'\n" + code + "END\n"
		}
		script.WriteString(code + "echo\n")
	}
	return script.String()
}

// TestReceiversOfTheDocs starts the two receivers of the webhooks page. Each accepts a signed body and refuses all others.
func TestReceiversOfTheDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(docsFolder + "webhooks.md")
	systemtest.Must(t, err)
	for language, command := range map[string][]string{"js": {"node"}, "python": {"python3"}} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			systemtest.NeedsProgram(command[0])(t)
			_, code, _ := strings.Cut(string(text), "\n```"+language+"\n")
			code, _, found := strings.Cut(code, "```")
			if !found {
				t.Fatal("the page has no example")
			}
			file := filepath.Join(t.TempDir(), "receiver."+map[string]string{"js": "mjs", "python": "py"}[language])
			systemtest.Must(t, os.WriteFile(file, []byte(code), 0o600))
			url := receiver(t, append(command, file))
			body := []byte(`{"id": "1"}`)
			right := webhook.Sign([]byte("a-long-random-signing-secret"), body)
			for signature, want := range map[string]int{
				right: http.StatusNoContent, strings.ToUpper(right): http.StatusNoContent,
				"": http.StatusUnauthorized, "é": http.StatusUnauthorized, right[1:]: http.StatusUnauthorized,
				webhook.Sign([]byte("another key"), body): http.StatusUnauthorized,
			} {
				if got := posted(t, url, body, signature); got != want {
					t.Errorf("signature %q: status %d, want %d", signature, got, want)
				}
			}
		})
	}
}

// receiver starts a program that listens on PORT and prints its address, and returns its URL.
func receiver(t *testing.T, command []string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), command[0], command[1:]...)
	run.Env, run.Stderr = append(os.Environ(), "PORT=0"), io.Discard
	output, err := run.StdoutPipe()
	systemtest.Must(t, err)
	systemtest.Must(t, run.Start())
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	port, found := strings.CutPrefix(strings.TrimSpace(line), "listening on port ")
	if err != nil || !found {
		t.Fatalf("the receiver printed %q (%v)", line, err)
	}
	return "http://127.0.0.1:" + port
}

func posted(t *testing.T, url string, body []byte, signature string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	systemtest.Must(t, err)
	if signature != "" {
		request.Header.Set(webhook.SignatureHeader, signature)
	}
	response, err := http.DefaultClient.Do(request)
	systemtest.Must(t, err)
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode
}

// ran runs a script in a temporary folder and returns its output.
func ran(t *testing.T, script string, environment []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	shell.Env, shell.Dir, shell.Stderr = environment, t.TempDir(), os.Stderr
	printed, err := shell.Output()
	if err != nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, printed))
	}
	return string(printed)
}
