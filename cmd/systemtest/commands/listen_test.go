package commands

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain/webhook"
)

func TestListenReceivesRealDeliveries(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	running := systemtest.Serve(t, systemtest.OnDatabase(database, "TICKETGATE_RETRY_SCHEDULE=20ms"))
	seller := data.Sellers[0]
	key := "Authorization: Bearer " + seller.APIKey
	listening := systemtest.Start(t, systemtest.Environment("TICKETGATE_API_KEY="+seller.APIKey), "listen", "--url", running.URL,
		"--listen", "127.0.0.1:0", "--events", "customer.created", "--status", "500,204", "--json")
	webhooks := func() string {
		_, text := systemtest.Request(t, http.MethodGet, running.URL+"/api/webhooks", "", key)
		return text
	}
	for deadline := time.Now().Add(time.Minute); !strings.Contains(webhooks(), `"name":"ticketgate listen"`); {
		if time.Now().After(deadline) {
			t.Fatalf("no webhook was created: %s", listening.Stderr)
		}
		<-time.After(5 * time.Millisecond)
	}
	systemtest.GraphQL(t, running.URL, seller.APIKey, `mutation($input: CreateCustomerInput!) { createCustomer(input: $input) { _id } }`,
		map[string]any{"input": map[string]any{"email": "zoe@example.com"}})

	listening.Await(listening.Stdout, `"status":204`)
	var calls [2]struct {
		ID, Type, Signature, Body string
		Attempt, Status           int
	}
	for i, line := range strings.SplitN(listening.Stdout.String(), "\n", len(calls)) {
		if err := json.Unmarshal([]byte(line), &calls[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []int{http.StatusInternalServerError, http.StatusNoContent} {
		call := calls[i]
		if call.Status != want || call.Attempt != i+1 || call.Signature != "valid" || call.Type != "customer.created" {
			t.Errorf("call %d: %+v", i+1, call)
		}
	}
	if calls[0].ID != calls[1].ID || calls[0].Body != calls[1].Body || !strings.Contains(calls[0].Body, "zoe@example.com") {
		t.Errorf("the second attempt differs: %+v", calls)
	}
	if code := listening.Stop(); code != 0 {
		t.Errorf("exit code %d: %s", code, listening.Stderr)
	}
	if left := webhooks(); !strings.Contains(left, `"total":0`) {
		t.Errorf("the webhook was left behind: %s", left)
	}
}

func TestWebhookTestPrintsTheOutcome(t *testing.T) {
	t.Parallel()
	database, made := systemtest.Seeded(t)
	running := systemtest.Serve(t, systemtest.OnDatabase(database))
	seller := made.Sellers[0]
	statuses := make(chan int, 2)
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(<-statuses) }))
	t.Cleanup(listener.Close)
	_, created := systemtest.Request(t, http.MethodPost, running.URL+"/api/webhooks",
		`{"name": "Tested", "url": "`+listener.URL+`"}`, "Authorization: Bearer "+seller.APIKey)
	var hook webhook.Webhook
	if err := json.Unmarshal([]byte(created), &hook); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(file, []byte(`{"fund": {"_id": "fund-1"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := systemtest.Environment("TICKETGATE_API_KEY=" + seller.APIKey)
	for _, c := range []struct {
		name   string
		status int
		flags  []string
		code   int
		says   string
	}{
		{"a delivered event", 204, []string{"--event", "fund.created", "--data", file}, 0, "delivered after"},
		{"a refused event", 500, nil, systemtest.CodeFailed, "pending after"},
		{"an unknown type", 0, []string{"--event", "ticket.craeted"}, systemtest.CodeFailed, "is not an event type"},
	} {
		if c.status != 0 {
			statuses <- c.status
		}
		arguments := append([]string{"webhook", "test", hook.ID, "--url", running.URL}, c.flags...)
		code, stdout, stderr := systemtest.Run(t, environment, arguments...)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: exit code %d, %s%s", c.name, code, stdout, stderr)
		}
	}
}

func TestListenExplainsErrors(t *testing.T) {
	t.Parallel()
	listening := systemtest.Start(t, systemtest.Environment(), "listen", "--listen", "127.0.0.1:0", "--hmac-key", "secret")
	listening.Await(listening.Stderr, "listening on ")
	_, rest, _ := strings.Cut(listening.Stderr.String(), "listening on ")
	url, _, _ := strings.Cut(rest, ";")
	for _, c := range []struct{ header, want string }{
		{"X-Service-Signature: " + webhook.Sign([]byte("secret"), []byte("{}")), "signature valid, responded 200"},
		{"X-Service-Signature: sha256=" + webhook.Sign([]byte("secret"), []byte("{}")), "signature invalid, responded 200\n  The signature has the prefix"},
		{"X-Nothing: 1", "signature invalid, responded 200\n  There is no signature."},
	} {
		if status, _ := systemtest.Request(t, http.MethodPost, url, "{}", c.header); status != http.StatusOK {
			t.Fatal(status)
		}
		listening.Await(listening.Stdout, c.want)
	}
}

func TestListenRefusesWrongArguments(t *testing.T) {
	t.Parallel()
	code, _, stderr := systemtest.Run(t, systemtest.Environment(), "listen", "--status", "99")
	if code != systemtest.CodeWrong || !strings.Contains(stderr, "--status must be from 200 to 599, not 99") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestWebhookVerify(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(file, []byte(`{"data":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	right := webhook.Sign([]byte("secret"), []byte(`{"data":{}}`))
	for _, c := range []struct {
		name, signature, key string
		code                 int
		says                 string
	}{
		{"matches", right, "secret", 0, "the signature matches\n"},
		{"names the cause", right, "secret ", systemtest.CodeFailed, "KEY_SPACE: The key is surrounded by white space"},
		{"prints the expected signature", "00", "secret", systemtest.CodeFailed, "expected " + right},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, _ := systemtest.Run(t, systemtest.Environment(), "webhook", "verify", file, "--signature", c.signature, "--hmac-key", c.key)
			if code != c.code || !strings.Contains(stdout, c.says) {
				t.Errorf("exit code %d, %s", code, stdout)
			}
		})
	}
}

// A script must not confuse a missing file with a forged call.
func TestUnreadableFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	long := filepath.Join(folder, "long")
	if err := os.WriteFile(long, make([]byte, 16<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	verify, entries := []string{"webhook", "verify"}, []string{"entries", "import"}
	for _, c := range []struct {
		name, file string
		command    []string
		says       string
	}{
		{"no body", filepath.Join(folder, "none"), verify, "no such file"},
		{"a folder for a body", folder, verify, "is a folder, not a file"},
		{"a body that is too long", long, verify, "as all webhook bodies are"},
		{"no entries", filepath.Join(folder, "none"), entries, "no such file"},
		{"a folder for entries", folder, entries, "is a folder, not a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--signature", "00", "--hmac-key", "secret"}
			if c.command[0] == "entries" {
				flags = []string{"--list", "0123456789abcdef01234567", "--key", "key_x", "--yes"}
			}
			code, stdout, stderr := systemtest.Run(t, systemtest.Environment(), slices.Concat(c.command, []string{c.file}, flags)...)
			if code != systemtest.CodeWrong || stdout != "" || !strings.Contains(stderr, c.says) {
				t.Errorf("exit code %d, %s%s", code, stdout, stderr)
			}
		})
	}
}
