package program

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestRequestsForTheDashboard(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		accept, path string
		want         bool
	}{
		{"", "/", true},
		{"*/*", "/", true},
		{"*/*", "//", true},
		{"text/*", "/", true},
		{"text/html", "/", true},
		{"TEXT/HTML", "/", true},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "/", true},
		{"text/html, application/json", "/", true},
		{"application/json", "/", false},
		{"Application/JSON; charset=utf-8", "/", false},
		{"application/json, text/plain, */*", "/", false},
		{"application/json, */*;q=0.5", "/", false},
		{"text/html;q=0.5, application/json", "/", false},
		{"text/html;q=0, */*", "/", false},
		{"application/*", "/", false},
		{"image/png", "/", false},
		{"", "/login", true},
		{"*/*", "/login", true},
		{"application/json, text/plain, */*", "/login", false},
		{"image/png", "/login", false},
		{"*/*", "/events/a%2Fb", true},
		{"", "/nothing", false},
		{"*/*", "/nothing", false},
		{"text/*", "/nothing", false},
		{"text/html", "/nothing", true},
		{"text/html;q=0", "/nothing", false},
		{"application/json", "/nothing", false},
		{"text/html", "/login", true},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "/webhooks/1", true},
		{"text/html;q=0", "/login", false},
		{"application/json", "/login", false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.URL.Path = row.path
		if row.accept != "" {
			r.Header.Set("Accept", row.accept)
		}
		if got := wantsPage(r, row.path != "/nothing" && row.path != "//"); got != row.want {
			t.Errorf("%s with %q: %t", row.path, row.accept, got)
		}
	}
}
