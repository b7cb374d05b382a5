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

// TestDashboard runs the browser suite in dashboard/e2e: Chromium with the built dashboard, the program and its own database.
// Each case has a time limit and the suite has none, because a busy machine must not fail it. It therefore runs only without
// a deadline, as in `make test-dashboard` (DASH-23).
func TestDashboard(t *testing.T) {
	if _, limited := t.Deadline(); limited {
		t.Skip("the browser suite needs go test -timeout 0; run make test-dashboard")
	}
	chromium := findChromium(t)
	database, data := systemtest.Seeded(t)
	s := systemtest.Serve(t, systemtest.OnDatabase(database))
	empty, err := json.Marshal(serveEmpty(t))
	if err != nil {
		t.Fatal(err)
	}
	vitest := exec.CommandContext(t.Context(), "npm", "run", "--silent", "e2e")
	vitest.Dir = filepath.Join("..", "..", "..", "dashboard")
	vitest.Env = append(os.Environ(), "NO_COLOR=1", "TICKETGATE_URL="+s.URL,
		"TICKETGATE_WORLD="+systemtest.Printed(t, data), "TICKETGATE_EMPTY="+string(empty),
		"TICKETGATE_SYSTEM_TOKEN="+systemtest.SystemToken, "TICKETGATE_CHROMIUM="+chromium)
	printed, err := vitest.CombinedOutput()
	t.Logf("%s", printed)
	if err != nil {
		t.Fatal(err)
	}
}

// emptyInstance is a server without data, with the users who can sign in.
type emptyInstance struct {
	URL   string     `json:"url"`
	Admin firstLogin `json:"admin"` // administrator of an organization without sellers
	Guest firstLogin `json:"guest"` // without memberships
}

type firstLogin struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// serveEmpty starts an empty server and follows the advice in its log.
func serveEmpty(t *testing.T) emptyInstance {
	t.Helper()
	settings := systemtest.OnDatabase(dbtest.New(t))
	s := systemtest.Serve(t, settings)
	const advice = "ticketgate user create EMAIL --new-organization NAME"
	for deadline := time.Now().Add(time.Minute); !strings.Contains(s.Stderr.String(), advice); <-time.After(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the log does not say how to create the first user: %s", s.Stderr)
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

// findChromium returns the path of Chromium. Without a browser, a build or the npm packages it skips the test; in CI it fails.
func findChromium(t *testing.T) string {
	t.Helper()
	skip := t.Skipf
	if os.Getenv("CI") != "" {
		skip = t.Fatalf
	}
	if !dashboard.New().Built() {
		skip("the dashboard is not built; run make dashboard")
	}
	if _, err := os.Stat(filepath.Join("..", "..", "..", "dashboard", "node_modules", "playwright-core")); err != nil {
		skip("the dashboard's npm packages are not installed; run make dashboard")
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	skip("Chromium is not installed; run apt-get install chromium-headless-shell")
	return ""
}
