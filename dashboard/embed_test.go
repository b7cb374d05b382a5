package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/dashboard"
)

func TestTheLandingPageNamesTheDoors(t *testing.T) {
	t.Parallel()
	answer := httptest.NewRecorder()
	dashboard.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/anything", nil))
	if got := answer.Header().Get("Content-Type"); got != "text/html; charset=utf-8" {
		t.Errorf("content type: got %q", got)
	}
	for _, wanted := range []string{"/graphql", "/api/openapi.json", "docs/first-webhook.md"} {
		if !strings.Contains(answer.Body.String(), wanted) {
			t.Errorf("the page does not name %s", wanted)
		}
	}
}
