package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"ticketgate/db/embedded"
)

// privately are the settings of an installation without a database of its own, in a folder that the server's
// unprivileged user can reach.
func privately(t *testing.T) (settings []string, folder string) {
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
	return environment("TICKETGATE_DATA_DIR="+folder, "TICKETGATE_LISTEN=127.0.0.1:0"), folder
}

var readyLine = regexp.MustCompile(`^\{"url": "http://127\.0\.0\.1:\d+"\}\n$`)

func TestServeOnAPrivatePostgreSQL(t *testing.T) {
	settings, folder := privately(t)
	first := serve(t, settings)
	if status, body := request(t, http.MethodGet, first.url+"/readyz", ""); status != http.StatusOK || body != "{\"status\":\"ready\"}\n" {
		t.Errorf("readyz: %d %s", status, body)
	}
	checkSecretFiles(t, folder)
	made, other := seed(t, settings), seed(t, settings)
	checkWorld(t, made, other)
	checkLogins(t, first.url, made)
	checkGate(t, first.url, made.Sellers[2])
	checkMemory(t, first)
	if code, stdout, _ := command(t, settings, "doctor"); code != 0 || !strings.Contains(stdout, "ok     migrations") ||
		!strings.Contains(stdout, "ok     secret key") {
		t.Errorf("doctor beside serve: exit code %d\n%s", code, stdout)
	}
	if code, _, stderr := command(t, settings, "serve"); code != exitFailed || !strings.Contains(stderr, folder) {
		t.Errorf("a second serve on the folder: exit code %d, log %s", code, stderr)
	}

	if code := first.stop(); code != 0 || !readyLine.MatchString(first.stdout.String()) {
		t.Errorf("Ctrl-C: exit code %d, output %q", code, first.stdout)
	}
	if left := processesOf(folder); len(left) > 0 {
		t.Errorf("left behind after Ctrl-C: %q", left)
	}

	again := serve(t, settings)
	checkLogins(t, again.url, made)
	again.kill()
	for deadline := time.Now().Add(30 * time.Second); len(processesOf(folder)) > 0; <-time.After(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("left behind 30 s after kill -9: %q", processesOf(folder))
		}
	}

	// Without serve, a command starts the server for itself and stops it.
	if third := seed(t, settings); third.Organizations[0].ID == made.Organizations[0].ID {
		t.Error("the third world is not a fresh one")
	}
	if left := processesOf(folder); len(left) > 0 {
		t.Errorf("left behind after a command: %q", left)
	}
}

func TestDemoSeedsOnce(t *testing.T) {
	settings, _ := privately(t)
	first := serve(t, settings, "--demo")
	logins := regexp.MustCompile(`admin     (\S+)  (\S+)`).FindStringSubmatch(first.stderr.String())
	if logins == nil || strings.Count(first.stderr.String(), "API key   key_") != len(plannedSellers) {
		t.Fatalf("the demo's logins are not on stderr:\n%s", first.stderr)
	}
	login(t, first.url, logins[1], logins[2])
	if code := first.stop(); code != 0 || !readyLine.MatchString(first.stdout.String()) {
		t.Errorf("exit code %d, output %q", code, first.stdout)
	}
	second := serve(t, settings, "--demo")
	if strings.Contains(second.stderr.String(), "API key   key_") {
		t.Error("the second start made demo data again")
	}
	login(t, second.url, logins[1], logins[2])
}

func checkSecretFiles(t *testing.T, folder string) {
	t.Helper()
	for _, name := range []string{secretKeyFile, systemTokenFile} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// checkWorld compares a world with what checks outside of the repository rely on.
func checkWorld(t *testing.T, made, other world) {
	t.Helper()
	if len(made.Organizations) != 2 || len(made.Sellers) != 4 || reflect.DeepEqual(made, other) {
		t.Fatalf("got %+v", made)
	}
	type shape struct {
		organization    int
		country         string
		siren, webhooks bool
	}
	want := []shape{{0, "FR", true, true}, {0, "FR", false, true}, {1, "DE", false, true}, {0, "FR", false, false}}
	secrets := map[string]bool{}
	for i, seller := range made.Sellers {
		got := shape{0, seller.Country, seller.SIREN, seller.Webhooks}
		if seller.OrganizationID == made.Organizations[1].ID {
			got.organization = 1
		}
		if got != want[i] || seller.OrganizationID != made.Organizations[got.organization].ID {
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
	members, err := json.Marshal(made.Sellers[0])
	const names = `{"sellerId":,"organizationId":,"name":,"country":,"siren":,"webhooks":,` +
		`"adminEmail":,"adminPassword":,"viewerEmail":,"viewerPassword":,"apiKey":,` +
		`"deviceToken":,"deviceId":,"eventId":,"ticketTypeId":,"customerId":,"ticketId":,"barcode":,"accessListId":,` +
		`"externalCode":,"scanGroupId":}`
	if got := regexp.MustCompile(`:("[^"]*"|true|false)`).ReplaceAll(members, []byte(":")); err != nil || string(got) != names {
		t.Errorf("members: got %s", got)
	}
}

// checkGate exchanges the seller's card for the ticket, and lets it in once.
func checkGate(t *testing.T, url string, seller seededSeller) {
	t.Helper()
	device := func(method, path string) string {
		request, err := http.NewRequestWithContext(t.Context(), method, url+path, nil)
		must(t, err)
		request.Header.Set("Token", seller.DeviceToken)
		answer, err := http.DefaultClient.Do(request)
		must(t, err)
		body, err := io.ReadAll(answer.Body)
		must(t, errors.Join(err, answer.Body.Close()))
		return string(body)
	}
	found := device(http.MethodGet, "/api/access-lists/entries/"+seller.ExternalCode+"/ticket?eventId="+seller.EventID)
	if !strings.Contains(found, `"_id":"`+seller.TicketID+`"`) || !strings.Contains(found, `"barcode":"`+seller.Barcode+`"`) {
		t.Errorf("the card is exchanged for %s", found)
	}
	for _, want := range []string{`{"access":"GRANTED"`, `{"access":"DENIED","reason":"ALREADY_CHECKED_IN"`} {
		if got := device(http.MethodPost, "/api/accessusers/tickets/"+seller.Barcode+"/scan"); !strings.HasPrefix(got, want) {
			t.Errorf("scanned: %s, want %s", got, want)
		}
	}
}

// checkLogins signs in as each user of the first seller and looks at the role, and uses each key.
func checkLogins(t *testing.T, url string, made world) {
	t.Helper()
	seller := made.Sellers[0]
	for email, account := range map[string]struct{ password, role string }{
		seller.AdminEmail: {seller.AdminPassword, "ADMIN"}, seller.ViewerEmail: {seller.ViewerPassword, "VIEWER"},
	} {
		token := login(t, url, email, account.password)
		me := graphQL(t, url, token, `{ me { role memberships { seller { _id } } } }`, nil)
		want := fmt.Sprintf(`{"me":{"role":%q,"memberships":[{"seller":{"_id":%q}}]}}`, account.role, seller.SellerID)
		if !strings.Contains(me, want) {
			t.Errorf("got %s, want %s", me, want)
		}
	}
	for _, key := range []string{seller.APIKey, made.Organizations[0].Key} {
		if status, body := request(t, http.MethodGet, url+"/api/keys/info", "", "Authorization: Bearer "+key); status != http.StatusOK {
			t.Errorf("keys/info: %d %s", status, body)
		}
	}
	status, body := request(t, http.MethodGet, url+"/api/webhooks", "", "Authorization: Bearer "+seller.APIKey)
	if status != http.StatusOK || strings.TrimSpace(body) != `{"docs":[],"total":0}` {
		t.Errorf("a fresh seller's webhooks: %d %s", status, body)
	}
}

func login(t *testing.T, url, email, password string) string {
	t.Helper()
	return member(t, graphQL(t, url, "", `mutation($input: LoginInput!) { login(input: $input) { token } }`,
		map[string]any{"input": map[string]any{"email": email, "password": password}}), "data.login.token")
}

// checkMemory holds the promise of an idle server: under 60 MB once what logins took was given back.
func checkMemory(t *testing.T, s *server) {
	t.Helper()
	const most = 60 << 10 // KiB
	var resident int
	for deadline := time.Now().Add(20 * time.Second); ; <-time.After(100 * time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
		if err != nil {
			t.Skip("resident memory can be read on Linux only")
		}
		found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
		if resident, err = strconv.Atoi(string(found[1])); err == nil && resident < most {
			t.Logf("resident memory: %d KiB", resident)
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("resident memory: %d KiB after 20 s of idling", resident)
			return
		}
	}
}

// processesOf finds the processes whose command line names a folder.
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
