package graph_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/domain"
)

// TestWorkIsBoundedBeforeItsAnswer sends documents whose work outlasts the deadlines that the server has for everything: each
// has a bound of its own, and is answered.
func TestWorkIsBoundedBeforeItsAnswer(t *testing.T) {
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
			t.Errorf("%s is answered %d %s, want %s", query, got.status, got.text, want)
		}
	}
}
