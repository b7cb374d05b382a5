package operations

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
)

func TestJobPagesShowJobs(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, watchedFromHere, apitest.DeliversToTests)
	url, calls := systemtest.NewListener(t, func(int) int { return http.StatusOK })
	body := fmt.Sprintf(`{"name": "W", "url": %q, "events": {"transaction.complete": true}}`, url)
	systemtest.Request(t, http.MethodPost, h.URL+"/api/webhooks", body, "Authorization: Bearer "+h.Demo.Sellers[0].APIKey)
	systemtest.Publish(t, h.URL, h.Demo.Sellers[0])
	<-calls
	at := h.Program.AdminURL()
	status, page := systemtest.Request(t, http.MethodGet, at+"/jobs/", "")
	if status != http.StatusOK || !strings.Contains(page, `<script type="module"`) || !strings.Contains(page, `src="/jobs/assets/`) {
		t.Errorf("the page: %d %.500s", status, page)
	}
	systemtest.Eventually(t, "the page shows the job as completed", func() bool {
		status, list := systemtest.Request(t, http.MethodGet, at+"/jobs/api/jobs?state=completed&limit=20", "")
		return status == http.StatusOK && strings.Contains(list, `"deliver_webhook"`)
	})
	if connections := numbers(t, h)[`db_client_connection_max{pool="job pages"}`]; connections != 6 {
		t.Errorf("the metrics show %v connections for the pages", connections)
	}
	_, states := systemtest.Request(t, http.MethodGet, at+"/jobs/api/states", "")
	if !strings.Contains(states, `"completed"`) {
		t.Errorf("states: %s", states)
	}
}

func TestOtherSitesCantChangeJobs(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, watchedFromHere)
	for origin, want := range map[string]int{"http://evil.example": http.StatusForbidden, h.Program.AdminURL(): http.StatusOK} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.Program.AdminURL()+"/jobs/api/jobs/cancel",
			strings.NewReader(`{"ids": ["1"]}`))
		systemtest.Must(t, err)
		r.Header.Set("Origin", origin)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		systemtest.Must(t, err)
		text, err := io.ReadAll(answer.Body)
		systemtest.Must(t, err)
		_ = answer.Body.Close()
		// Job 1 does not exist. Only the check of the origin matters.
		if refused := answer.StatusCode == http.StatusForbidden; refused != (want == http.StatusForbidden) {
			t.Errorf("from %s: %d %s", origin, answer.StatusCode, text)
		}
	}
}
