package apitest

import (
	"net/http"
	"slices"
	"testing"

	"ticketgate/cmd/systemtest"
)

// Counting is a server whose requests are traced. Each SQL statement of a request is a span of its trace.
type Counting struct {
	*Server
	Collector *Collector
	seen      int
}

// OpenCounting starts a server that sends its spans to a collector.
func OpenCounting(t *testing.T) *Counting {
	t.Helper()
	c := NewCollector(t)
	return &Counting{Server: Open(t, "TICKETGATE_OTLP_ENDPOINT="+c.URL), Collector: c}
}

// Statements makes equal requests one after the other, and returns the statements of each in order. It waits for the
// span of each request, which is sent after those of its statements.
func (c *Counting) Statements(t *testing.T, times, status int, route, path string, headers ...string) [][]string {
	t.Helper()
	for range times {
		if got, body := systemtest.Request(t, http.MethodGet, c.URL+path, "", headers...); got != status {
			t.Fatalf("%s: %d %s", path, got, body)
		}
	}
	c.seen += times
	systemtest.Eventually(t, "all requests have been traced", func() bool { return len(c.Collector.Requests(route)) == c.seen })
	executed := make([][]string, 0, times)
	for _, root := range c.Collector.Requests(route)[c.seen-times:] {
		executed = append(executed, c.Collector.StatementsOf(root))
	}
	return executed
}

// Remembered repeats a request until the process has cached the caller, which is not possible before the process has a
// lease on credentials.
func (c *Counting) Remembered(t *testing.T, route, path string, headers []string, want ...string) {
	t.Helper()
	systemtest.Eventually(t, "the caller is cached", func() bool {
		return slices.Equal(c.Statements(t, 1, http.StatusOK, route, path, headers...)[0], want)
	})
}

// Wants checks that each request executed the same statements. Statements that authenticate the caller may come first,
// but not in every request: a process that stalls for a second loses its lease and authenticates the caller again.
func Wants(t *testing.T, what string, executed [][]string, checks []string, want ...string) {
	t.Helper()
	remembered := 0
	for _, names := range executed {
		before, same := names[:max(0, len(names)-len(want))], slices.Equal(names[max(0, len(names)-len(want)):], want)
		switch {
		case same && len(before) == 0:
			remembered++
		case !same || slices.ContainsFunc(before, func(name string) bool { return !slices.Contains(checks, name) }):
			t.Errorf("%s: executed %q, want %q", what, names, want)
		}
	}
	if remembered == 0 {
		t.Errorf("%s: each of %d requests authenticated the caller in the database", what, len(executed))
	}
}

// Names of statements that authenticate callers, and the routes of two requests.
const (
	DeviceCheck = "SELECT devices"
	GroupCheck  = "SELECT scan_groups"
	KeyCheck    = "SELECT api_key_secrets"
	LookupRoute = "/api/access-lists/entries/{externalCode}/ticket"
	GroupRoute  = "/api/scan-groups/{id}"
)
