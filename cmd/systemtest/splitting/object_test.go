package splitting

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// routed starts a router in front of clusters, the first of which is the home cluster.
func routed(t *testing.T, clusters ...string) *systemtest.Process {
	t.Helper()
	router := systemtest.Start(t, systemtest.Environment(
		"TICKETGATE_ROUTE_CLUSTERS="+strings.Join(clusters, ","), "TICKETGATE_LISTEN=127.0.0.1:0",
		"TICKETGATE_SYSTEM_TOKEN="+systemtest.SystemToken, "TICKETGATE_SECRET_KEY="+systemtest.SecretKey,
	), "route")
	router.Await(router.Stdout, "\n")
	var printed struct {
		URL string `json:"url"`
	}
	systemtest.Must(t, json.Unmarshal([]byte(router.Stdout.String()), &printed))
	router.URL = printed.URL
	systemtest.Eventually(t, "the router's clusters respond", func() bool {
		status, _ := systemtest.Request(t, http.MethodGet, router.URL+"/readyz", "")
		return status == http.StatusOK
	})
	return router
}

// run executes a statement.
func run(t *testing.T, on *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := on.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// number returns the one number that a query finds.
func number(t *testing.T, on *sql.DB, query string, args ...any) (found int) {
	t.Helper()
	if err := on.QueryRowContext(t.Context(), query, args...).Scan(&found); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return found
}
