package graph_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"ticketgate/domain"
	"ticketgate/graph"
	"ticketgate/graph/edge"
)

// TestEachDocumentHasItsOwnDeadline sends documents that take longer than the server's general deadlines. Each has its
// own deadline and gets a response.
func TestEachDocumentHasItsOwnDeadline(t *testing.T) {
	t.Parallel()
	s := serve(t, domain.SystemActor)
	slow := httptest.NewUnstartedServer(s.Config.Handler)
	slow.Config.ReadTimeout, slow.Config.WriteTimeout = shortBound, shortBound
	slow.Start()
	t.Cleanup(slow.Close)
	s.Server = slow
	for query, want := range map[string]string{
		"{work}":                  "10s",
		"mutation{importTickets}": "2m0s",
		"mutation{importTickets deleteAccessList}":        "all",
		"mutation{a:deleteAccessList b:createList{name}}": "all",
	} {
		got := s.post(t, `{"query":"`+query+`"}`)
		if got.status != 200 || !strings.Contains(got.text, `:"`+want+`"`) {
			t.Errorf("%s: status %d, %s, want %s", query, got.status, got.text, want)
		}
	}
}

// A large read that gets no slot in time is refused as in REST (LIMIT-22).
func TestLargeReadWaitsForItsShare(t *testing.T) {
	t.Parallel()
	endpoint := graph.NewEndpoint(newShop(), graph.Options{Log: discard})
	handler := edge.Wrap(endpoint, edge.Options{Log: discard, Reads: edge.NewReads(0, 0)})
	for query, want := range map[string]int{
		`{lists(first:250){nodes{_id}}}`: http.StatusOK, `{lists(first:251){nodes{_id}}}`: http.StatusTooManyRequests,
	} {
		synctest.Test(t, func(t *testing.T) {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(`{"query":"`+query+`"}`))
			request.Header.Set("Content-Type", "application/json")
			recorder := httptest.NewRecorder()
			handler.ServeHTTP(recorder, request)
			waits := recorder.Header().Get("Retry-After") == "5"
			isRefused := strings.HasPrefix(recorder.Body.String(), `{"errors":[{"message":"Too much work`) &&
				strings.HasSuffix(recorder.Body.String(), `,"retryAfter":5}}]}`)
			if tooMany := want == http.StatusTooManyRequests; recorder.Code != want || waits != tooMany || isRefused != tooMany {
				t.Errorf("%s: %d %v %s", query, recorder.Code, recorder.Header(), recorder.Body)
			}
		})
	}
}
