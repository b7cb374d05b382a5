package dashboard

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/dashboard"
	"ticketgate/db/dbtest"
)

// TestDashboard drives the built page in Chromium against the program and a database of its own. The cases are in
// dashboard/e2e, in the page's language. Each has a limit of its own and the whole has none: a busy machine takes long, and
// that is no failure. So it runs without a deadline only, which `make test-dashboard` sees to (DASH-23).
func TestDashboard(t *testing.T) {
	if _, limited := t.Deadline(); limited {
		t.Skip("the browser suite has no limit on the whole, so it is not run under one: make test-dashboard")
	}
	chromium := findChromium(t)
	database, made := systemtest.Seeded(t)
	s := systemtest.Serve(t, systemtest.OnDatabase(database))
	empty, err := json.Marshal(serveEmpty(t))
	if err != nil {
		t.Fatal(err)
	}
	vitest := exec.CommandContext(t.Context(), "npm", "run", "--silent", "e2e")
	vitest.Dir = filepath.Join("..", "..", "..", "dashboard")
	vitest.Env = append(os.Environ(), "NO_COLOR=1", "TICKETGATE_URL="+s.URL, "TICKETGATE_WORLD="+systemtest.Printed(t, made), "TICKETGATE_EMPTY="+string(empty),
		"TICKETGATE_SYSTEM_TOKEN="+systemtest.SystemToken, "TICKETGATE_CHROMIUM="+chromium)
	printed, err := vitest.CombinedOutput()
	t.Logf("%s", printed)
	if err != nil {
		t.Fatal(err)
	}
}

// emptyInstance is a server on which nobody has done anything, and who can sign in there.
type emptyInstance struct {
	URL   string     `json:"url"`
	Admin firstLogin `json:"admin"` // of an organization without sellers
	Guest firstLogin `json:"guest"` // of nothing
}

type firstLogin struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// serveEmpty does what the server says to somebody who starts it for the first time.
func serveEmpty(t *testing.T) emptyInstance {
	t.Helper()
	settings := systemtest.OnDatabase(dbtest.New(t))
	s := systemtest.Serve(t, settings)
	const advice = "ticketgate user create E-MAIL --new-organization NAME"
	for deadline := time.Now().Add(time.Minute); !strings.Contains(s.Stderr.String(), advice); <-time.After(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the log does not say how to begin: %s", s.Stderr)
		}
	}
	create := func(email string, more ...string) firstLogin {
		code, stdout, stderr := systemtest.Run(t, settings, append([]string{"user", "create", email}, more...)...)
		_, password, found := strings.Cut(stdout, "password  ")
		if code != 0 || !found {
			t.Fatalf("user create: exit code %d, output %q, log %s", code, stdout, stderr)
		}
		return firstLogin{Email: email, Password: strings.TrimSpace(password)}
	}
	return emptyInstance{
		URL:   s.URL,
		Admin: create("ann@tickets.example.org", "--new-organization", "Ann and friends"),
		Guest: create("bob@tickets.example.org"),
	}
}

// findChromium skips the test where there is no browser, nothing to show in it, or nothing to drive it with; in CI all
// of them must be there.
func findChromium(t *testing.T) string {
	t.Helper()
	skip := t.Skipf
	if os.Getenv("CI") != "" {
		skip = t.Fatalf
	}
	if !dashboard.New().Built() {
		skip("the dashboard was not built, so it is not tested: make dashboard")
	}
	if _, err := os.Stat(filepath.Join("..", "..", "..", "dashboard", "node_modules", "playwright-core")); err != nil {
		skip("the dashboard's dependencies are not installed, so it is not tested: make dashboard")
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	skip("there is no Chromium, so the dashboard is not tested: apt-get install chromium-headless-shell")
	return ""
}
