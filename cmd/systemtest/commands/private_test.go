package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
)

var readyLine = regexp.MustCompile(`^\{"url": "http://127\.0\.0\.1:\d+"\}\n$`)

func TestServeOnAPrivatePostgreSQL(t *testing.T) {
	settings, folder := systemtest.Privately(t)
	first := systemtest.Serve(t, settings)
	if status, body := systemtest.Request(t, http.MethodGet, first.URL+"/readyz", ""); status != http.StatusOK || body != "{\"status\":\"ready\"}\n" {
		t.Errorf("readyz: %d %s", status, body)
	}
	checkSecretFiles(t, folder)
	data, other := systemtest.Seed(t, settings), systemtest.Seed(t, settings)
	checkDemo(t, data, other)
	checkLogins(t, first.URL, data)
	checkGate(t, first.URL, data.Sellers[2])
	checkMemory(t, first)
	if code, stdout, _ := systemtest.Run(t, settings, "doctor"); code != 0 || !strings.Contains(stdout, "ok     migrations") ||
		!strings.Contains(stdout, "ok     secret key") {
		t.Errorf("doctor next to serve: exit code %d\n%s", code, stdout)
	}
	if code, _, stderr := systemtest.Run(t, settings, "serve"); code != systemtest.CodeFailed || !strings.Contains(stderr, folder) {
		t.Errorf("a second serve on the folder: exit code %d, log %s", code, stderr)
	}

	if code := first.Stop(); code != 0 || !readyLine.MatchString(first.Stdout.String()) {
		t.Errorf("Ctrl-C: exit code %d, output %q", code, first.Stdout)
	}
	if left := processesOf(folder); len(left) > 0 {
		t.Errorf("left behind after Ctrl-C: %q", left)
	}

	again := systemtest.Serve(t, settings)
	checkLogins(t, again.URL, data)
	again.Kill()
	for deadline := time.Now().Add(30 * time.Second); len(processesOf(folder)) > 0; <-time.After(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("left behind 30 s after kill -9: %q", processesOf(folder))
		}
	}

	// Without serve, a command starts its own server and stops it.
	if third := systemtest.Seed(t, settings); third.Organizations[0].ID == data.Organizations[0].ID {
		t.Error("the third seed did not create new data")
	}
	if left := processesOf(folder); len(left) > 0 {
		t.Errorf("left behind after a command: %q", left)
	}
}

func TestDemoSeedsOnce(t *testing.T) {
	settings, _ := systemtest.Privately(t)
	first := systemtest.Serve(t, settings, "--demo")
	logins := regexp.MustCompile(`admin     (\S+)  (\S+)`).FindStringSubmatch(first.Stderr.String())
	if logins == nil || strings.Count(first.Stderr.String(), "API key   key_") != 4 {
		t.Fatalf("the demo's logins are not on stderr:\n%s", first.Stderr)
	}
	systemtest.Login(t, first.URL, logins[1], logins[2])
	if code := first.Stop(); code != 0 || !readyLine.MatchString(first.Stdout.String()) {
		t.Errorf("exit code %d, output %q", code, first.Stdout)
	}
	second := systemtest.Serve(t, settings, "--demo")
	if strings.Contains(second.Stderr.String(), "API key   key_") {
		t.Error("the second start created demo data again")
	}
	systemtest.Login(t, second.URL, logins[1], logins[2])
}

func checkSecretFiles(t *testing.T, folder string) {
	t.Helper()
	for _, name := range []string{"secret-key", "system-token"} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// checkDemo checks demo data that checks outside of the repository rely on.
func checkDemo(t *testing.T, data, other demo.Data) {
	t.Helper()
	if len(data.Organizations) != 2 || len(data.Sellers) != 4 || cmp.Equal(data, other) {
		t.Fatalf("got %+v", data)
	}
	type shape struct {
		organization    int
		country         string
		siren, webhooks bool
	}
	want := []shape{{0, "FR", true, true}, {0, "FR", false, true}, {1, "DE", false, true}, {0, "FR", false, false}}
	secrets := map[string]bool{}
	for i, seller := range data.Sellers {
		got := shape{0, seller.Country, seller.SIREN, seller.Webhooks}
		if seller.OrganizationID == data.Organizations[1].ID {
			got.organization = 1
		}
		if got != want[i] || seller.OrganizationID != data.Organizations[got.organization].ID {
			t.Errorf("seller %d: got %+v, want %+v", i, got, want[i])
		}
		for _, secret := range []string{
			seller.APIKey, seller.AdminPassword, seller.ViewerPassword, seller.AdminEmail, other.Sellers[i].AdminEmail,
		} {
			if secret == "" || secrets[secret] {
				t.Errorf("seller %d: %q is empty or not the only one", i, secret)
			}
			secrets[secret] = true
		}
	}
	members, err := json.Marshal(data.Sellers[0])
	const names = `{"sellerId":,"organizationId":,"name":,"country":,"siren":,"webhooks":,` +
		`"adminEmail":,"adminPassword":,"viewerEmail":,"viewerPassword":,"apiKey":,` +
		`"deviceToken":,"deviceId":,"eventId":,"ticketTypeId":,"customerId":,"ticketId":,"barcode":,"accessListId":,` +
		`"externalCode":,"scanGroupId":}`
	if got := regexp.MustCompile(`:("[^"]*"|true|false)`).ReplaceAll(members, []byte(":")); err != nil || string(got) != names {
		t.Errorf("members: got %s", got)
	}
}

// checkGate looks up the seller's card, which must return the ticket, and scans it once.
func checkGate(t *testing.T, url string, seller demo.Seller) {
	t.Helper()
	device := func(method, path string) string {
		request, err := http.NewRequestWithContext(t.Context(), method, url+path, nil)
		systemtest.Must(t, err)
		request.Header.Set("Token", seller.DeviceToken)
		answer, err := http.DefaultClient.Do(request)
		systemtest.Must(t, err)
		body, err := io.ReadAll(answer.Body)
		systemtest.Must(t, errors.Join(err, answer.Body.Close()))
		return string(body)
	}
	found := device(http.MethodGet, "/api/access-lists/entries/"+seller.ExternalCode+"/ticket?eventId="+seller.EventID)
	if !strings.Contains(found, `"_id":"`+seller.TicketID+`"`) || !strings.Contains(found, `"barcode":"`+seller.Barcode+`"`) {
		t.Errorf("got %s for the card", found)
	}
	for _, want := range []string{`{"access":"GRANTED"`, `{"access":"DENIED","reason":"ALREADY_CHECKED_IN"`} {
		if got := device(http.MethodPost, "/api/accessusers/tickets/"+seller.Barcode+"/scan"); !strings.HasPrefix(got, want) {
			t.Errorf("scanned: %s, want %s", got, want)
		}
	}
}

// checkLogins signs in as each user of the first seller, checks the role, and uses each key.
func checkLogins(t *testing.T, url string, data demo.Data) {
	t.Helper()
	seller := data.Sellers[0]
	for email, account := range map[string]struct{ password, role string }{
		seller.AdminEmail: {seller.AdminPassword, "ADMIN"}, seller.ViewerEmail: {seller.ViewerPassword, "VIEWER"},
	} {
		token := systemtest.Login(t, url, email, account.password)
		me := systemtest.GraphQL(t, url, token, `{ me { role memberships { seller { _id } } } }`, nil)
		want := fmt.Sprintf(`{"me":{"role":%q,"memberships":[{"seller":{"_id":%q}}]}}`, account.role, seller.SellerID)
		if !strings.Contains(me, want) {
			t.Errorf("got %s, want %s", me, want)
		}
	}
	for _, key := range []string{seller.APIKey, data.Organizations[0].Key} {
		if status, body := systemtest.Request(t, http.MethodGet, url+"/api/keys/info", "", "Authorization: Bearer "+key); status != http.StatusOK {
			t.Errorf("keys/info: %d %s", status, body)
		}
	}
	status, body := systemtest.Request(t, http.MethodGet, url+"/api/webhooks", "", "Authorization: Bearer "+seller.APIKey)
	if status != http.StatusOK || strings.TrimSpace(body) != `{"docs":[],"total":0}` {
		t.Errorf("a new seller's webhooks: %d %s", status, body)
	}
}

// checkMemory checks that an idle server uses less than 60 MB once memory used by logins was returned.
func checkMemory(t *testing.T, s *systemtest.Process) {
	t.Helper()
	const most = 60 << 10 // KiB
	var resident int
	for deadline := time.Now().Add(20 * time.Second); ; <-time.After(100 * time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Cmd.Process.Pid))
		if err != nil {
			t.Skip("resident memory is available on Linux only")
		}
		found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
		if resident, err = strconv.Atoi(string(found[1])); err == nil && resident < most {
			t.Logf("resident memory: %d KiB", resident)
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("resident memory: %d KiB after 20 s idle", resident)
			return
		}
	}
}

// processesOf returns the processes whose command line names a folder.
func processesOf(folder string) []string {
	var found []string
	entries, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, entry := range entries {
		line, err := os.ReadFile(entry)
		if err == nil && bytes.Contains(line, []byte(folder)) {
			found = append(found, entry+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		}
	}
	return found
}
