package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain/webhook"
)

// await waits until a program has printed a text.
func (s *server) await(printed *logBuffer, text string) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(printed.String(), text); {
		if time.Now().After(deadline) {
			s.t.Fatalf("no %q after a minute: %s", text, printed)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func TestListenReceivesRealDeliveries(t *testing.T) {
	t.Parallel()
	settings := onDatabase(dbtest.New(t), "TICKETGATE_RETRY_SCHEDULE=20ms")
	running := serve(t, settings)
	seller := seed(t, settings).Sellers[0]
	key := "Authorization: Bearer " + seller.APIKey
	listening := start(t, environment("TICKETGATE_API_KEY="+seller.APIKey), "listen", "--url", running.url,
		"--listen", "127.0.0.1:0", "--events", "customer.created", "--status", "500,204", "--json")
	webhooks := func() string {
		_, text := request(t, http.MethodGet, running.url+"/api/webhooks", "", key)
		return text
	}
	for deadline := time.Now().Add(time.Minute); !strings.Contains(webhooks(), `"name":"ticketgate listen"`); {
		if time.Now().After(deadline) {
			t.Fatalf("no webhook was made: %s", listening.stderr)
		}
		<-time.After(5 * time.Millisecond)
	}
	graphQL(t, running.url, seller.APIKey, `mutation($input: CreateCustomerInput!) { createCustomer(input: $input) { _id } }`,
		map[string]any{"input": map[string]any{"email": "zoe@example.com"}})

	listening.await(listening.stdout, `"status":204`)
	var calls [2]receivedCall
	for i, line := range strings.SplitN(listening.stdout.String(), "\n", len(calls)) {
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
	if code := listening.stop(); code != 0 {
		t.Errorf("exit code %d: %s", code, listening.stderr)
	}
	if left := webhooks(); !strings.Contains(left, `"total":0`) {
		t.Errorf("the webhook was left behind: %s", left)
	}
}

func TestListenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	listening := start(t, environment(), "listen", "--listen", "127.0.0.1:0", "--hmac-key", "secret")
	listening.await(listening.stderr, "listening on ")
	_, rest, _ := strings.Cut(listening.stderr.String(), "listening on ")
	url, _, _ := strings.Cut(rest, ";")
	for _, c := range []struct{ header, want string }{
		{"X-Service-Signature: " + webhook.Sign([]byte("secret"), []byte("{}")), "signature valid, answered 200"},
		{"X-Service-Signature: sha256=" + webhook.Sign([]byte("secret"), []byte("{}")), "signature invalid, answered 200\n  The signature has the prefix"},
		{"X-Nothing: 1", "signature invalid, answered 200\n  There is no signature."},
	} {
		if status, _ := request(t, http.MethodPost, url, "{}", c.header); status != http.StatusOK {
			t.Fatal(status)
		}
		listening.await(listening.stdout, c.want)
	}
}

func TestListenSaysWhoCanCall(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"127.0.0.1:0": "http://127.0.0.1:", "0.0.0.0:0": "every address of this machine, http://127.0.0.1:"} {
		at, err := listen(t.Context(), "--listen", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := at.reach(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
		_ = at.listener.Close()
	}
}

func TestListenIsTypedWrongly(t *testing.T) {
	t.Parallel()
	code, _, stderr := command(t, environment(), "listen", "--status", "99")
	if code != exitWrong || !strings.Contains(stderr, "--status must be from 200 to 599, not 99") {
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
		{"names what is wrong", right, "secret ", exitFailed, "KEY_SPACE: White space"},
		{"says what is right", "00", "secret", exitFailed, "right is " + right},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, _ := command(t, environment(), "webhook", "verify", file, "--signature", c.signature, "--hmac-key", c.key)
			if code != c.code || !strings.Contains(stdout, c.says) {
				t.Errorf("exit code %d, %s", code, stdout)
			}
		})
	}
}

// A script must not take a file that is not there for a call that somebody forged.
func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	long := filepath.Join(folder, "long")
	if err := os.WriteFile(long, make([]byte, maxVerified+1), 0o600); err != nil {
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
		{"a body that is too long", long, verify, "no webhook's body is"},
		{"no entries", filepath.Join(folder, "none"), entries, "no such file"},
		{"a folder for entries", folder, entries, "is a folder, not a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--signature", "00", "--hmac-key", "secret"}
			if c.command[0] == "entries" {
				flags = []string{"--list", "0123456789abcdef01234567", "--key", "key_x", "--yes"}
			}
			code, stdout, stderr := command(t, environment(), slices.Concat(c.command, []string{c.file}, flags)...)
			if code != exitWrong || stdout != "" || !strings.Contains(stderr, c.says) {
				t.Errorf("exit code %d, %s%s", code, stdout, stderr)
			}
		})
	}
}

func TestAForeignBodyGivesTheTerminalNoOrders(t *testing.T) {
	t.Parallel()
	var shown bytes.Buffer
	sayTof(&shown, "%s|%s", lines("a\x1b]0;title\x07\r\n\té\u009b\u202eb\u2028\u200dc"), "\xffx\ny")
	want := `a\u001b]0;title\u0007` + "\n\té" + `\u009b\u202eb\u2028` + "\u200dc|" + `\xffx\u000ay`
	if shown.String() != want {
		t.Errorf("got %q, want %q", &shown, want)
	}
}
