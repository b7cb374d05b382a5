package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"ticketgate/dashboard"
	"ticketgate/db/dbtest"
)

// TestDashboard drives the built page in Chromium against the program and a database of its own. What is tried stands in
// dashboard/e2e, in the page's language. It takes longest by far, so it begins before the tests that run beside it.
func TestDashboard(t *testing.T) { //nolint:tparallel // see above: it is parallel from the moment that it has begun
	chromium := findChromium(t)
	settings := onDatabase(dbtest.New(t))
	s := serve(t, settings)
	made, err := json.Marshal(seed(t, settings))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 25*time.Minute)
	defer cancel()
	vitest := exec.CommandContext(ctx, "npm", "run", "--silent", "e2e")
	vitest.Dir = filepath.Join("..", "..", "dashboard")
	vitest.Env = append(os.Environ(), "TICKETGATE_URL="+s.url, "TICKETGATE_WORLD="+string(made),
		"TICKETGATE_SYSTEM_TOKEN="+rightToken, "TICKETGATE_CHROMIUM="+chromium)
	var printed bytes.Buffer
	vitest.Stdout, vitest.Stderr = &printed, &printed
	if err := vitest.Start(); err != nil {
		t.Fatal(err)
	}
	t.Parallel()
	err = vitest.Wait()
	t.Logf("%s", printed.Bytes())
	if err != nil {
		t.Fatal(err)
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
	if _, err := os.Stat(filepath.Join("..", "..", "dashboard", "node_modules", "playwright-core")); err != nil {
		skip("the dashboard's dependencies are not installed, so it is not tested: make dashboard")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	skip("there is no Chromium, so the dashboard is not tested: apt-get install chromium")
	return ""
}
