package splitting

import (
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// Sessions are opened and ended on the home cluster only, or they would outlive a new password.
func TestSessionsAreOpenedAndEndedAtHome(t *testing.T) {
	t.Parallel()
	a, b, router, _ := twoClusters(t)
	data := systemtest.Seed(t, a.environment)
	seller := data.Sellers[0]
	systemtest.Eventually(t, "cluster b has the accounts", func() bool {
		return number(t, b.sql, "SELECT count(*) FROM memberships") == number(t, a.sql, "SELECT count(*) FROM memberships")
	})
	run(t, a.sql, "INSERT INTO seller_moves (seller_id, state, cluster) VALUES ($1, 'away', 'b')", seller.SellerID)
	run(t, a.sql, newEpoch)
	header := "X-Seller-Id: " + string(seller.SellerID)
	post := func(url, document string, variables any, headers ...string) (int, string) {
		t.Helper()
		return systemtest.Request(t, http.MethodPost, url+"/graphql",
			systemtest.Printed(t, map[string]any{"query": document, "variables": variables}), headers...)
	}
	credentials := map[string]any{"i": map[string]string{"email": seller.AdminEmail, "password": seller.AdminPassword}}
	sessions := func(on *cluster) int { return number(t, on.sql, "SELECT count(*) FROM sessions") }

	var token string
	for i, document := range []string{
		`mutation($i: LoginInput!) { ... on Mutation { login(input: $i) { token } } }`,
		`mutation($i: LoginInput!) { ...f } fragment f on Mutation { login(input: $i) { token } }`,
	} {
		_, answer := post(router.URL, document, credentials, header)
		token = systemtest.Field(t, answer, "data.login.token")
		if got := sessions(a); got != i+1 {
			t.Errorf("%d sessions are at home after %s", got, answer)
		}
	}
	systemtest.Eventually(t, "cluster b has the sessions", func() bool { return sessions(b) == 2 })

	bearer := "Authorization: Bearer " + token
	if _, answer := post(b.URL, `mutation($i: LoginInput!) { login(input: $i) { token } }`, credentials); !strings.Contains(answer, "INVALID_STATE") {
		t.Errorf("cluster b, login: %s", answer)
	}
	for _, document := range []string{`mutation { logout }`, `mutation { logoutEverywhere }`} {
		if _, answer := post(b.URL, document, nil, bearer); !strings.Contains(answer, "INVALID_STATE") {
			t.Errorf("cluster b, %s: %s", document, answer)
		}
	}
	if got := sessions(b); got != 2 {
		t.Errorf("cluster b has %d sessions, want those of the home cluster", got)
	}
	if _, answer := post(router.URL, `mutation { ... { logoutEverywhere } }`, nil, bearer, header); !strings.Contains(answer, `:2`) {
		t.Errorf("logoutEverywhere: %s", answer)
	}
	systemtest.Eventually(t, "the sessions end on cluster b", func() bool { return sessions(b) == 0 })
}
