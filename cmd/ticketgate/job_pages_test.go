package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestTheJobQueuesPagesShowItsJobs(t *testing.T) {
	t.Parallel()
	h := openHouse(t, watchedFromHere, deliversToTests)
	url, calls := newListener(t, func(int) int { return http.StatusOK })
	body := fmt.Sprintf(`{"name": "W", "url": %q, "events": {"transaction.complete": true}}`, url)
	request(t, http.MethodPost, h.url+"/api/webhooks", body, "Authorization: Bearer "+h.world.Sellers[0].APIKey)
	publish(t, h.url, h.world.Sellers[0])
	<-calls
	at := h.program.admin.url()
	status, page := request(t, http.MethodGet, at+"/jobs/", "")
	if status != http.StatusOK || !strings.Contains(page, `<script type="module"`) || !strings.Contains(page, `src="/jobs/assets/`) {
		t.Errorf("the page: %d %.500s", status, page)
	}
	eventually(t, "the job is shown as completed", func() bool {
		status, list := request(t, http.MethodGet, at+"/jobs/api/jobs?state=completed&limit=20", "")
		return status == http.StatusOK && strings.Contains(list, `"deliver_webhook"`)
	})
	if connections := h.numbers(t)[`db_client_connection_max{pool="job pages"}`]; connections != 6 {
		t.Errorf("the pages are told to have %v connections", connections)
	}
	_, states := request(t, http.MethodGet, at+"/jobs/api/states", "")
	if !strings.Contains(states, `"completed"`) {
		t.Errorf("states: %s", states)
	}
}

func TestNobodyElsesPageChangesJobs(t *testing.T) {
	t.Parallel()
	h := openHouse(t, watchedFromHere)
	for origin, want := range map[string]int{"http://evil.example": http.StatusForbidden, h.program.admin.url(): http.StatusOK} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.program.admin.url()+"/jobs/api/jobs/cancel",
			strings.NewReader(`{"ids": ["1"]}`))
		must(t, err)
		r.Header.Set("Origin", origin)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		must(t, err)
		text, err := io.ReadAll(answer.Body)
		must(t, err)
		_ = answer.Body.Close()
		// There is no job 1: what matters is who is asked for it.
		if refused := answer.StatusCode == http.StatusForbidden; refused != (want == http.StatusForbidden) {
			t.Errorf("from %s: %d %s", origin, answer.StatusCode, text)
		}
	}
}
