package route

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"ticketgate/domain/secrets"
)

// A key is found however its scheme is written (EDGE-10).
func TestTheSchemeIsCaseInsensitive(t *testing.T) {
	t.Parallel()
	secret := secrets.New(secrets.APIKey)
	for _, scheme := range []string{"Bearer ", "bearer ", "BEARER   "} {
		request := httptest.NewRequest(http.MethodGet, "/api/keys/info", nil)
		request.Header.Set("Authorization", scheme+secret)
		if got := questionOf(request); got.kind != "key" {
			t.Errorf("%q: got %+v", scheme, got)
		}
	}
}

func TestAccountMutationsAreFoundInFragments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		document string
		want     bool
	}{
		"a field":                  {`mutation { login(input: {}) { token } }`, true},
		"an alias":                 {`mutation { createSeller: logoutEverywhere }`, true},
		"an inline fragment":       {`mutation { ... on Mutation { login(input: {}) { token } } }`, true},
		"nested inline fragments":  {`mutation { ... { ... @include(if: true) { changePassword } } }`, true},
		"a named fragment":         {`mutation { ...f } fragment f on Mutation { logout }`, true},
		"nested named fragments":   {`fragment g on Mutation { ... { logout } } fragment f on Mutation { ...g } mutation { ...f }`, true},
		"another operation":        {`query q { me { _id } } mutation m { ...f } fragment f on Mutation { resetPassword }`, true},
		"a skipped field":          {`mutation { ...f @skip(if: true) } fragment f on Mutation { logout }`, true},
		"a cycle before it":        {`mutation { ...f logout } fragment f on Mutation { ...g } fragment g on Mutation { ...f }`, true},
		"a cycle":                  {`mutation { ...f } fragment f on Mutation { ...g } fragment g on Mutation { ...f }`, false},
		"an unknown fragment":      {`mutation { ...f }`, false},
		"an unused fragment":       {`mutation { createWebhook } fragment f on Mutation { logout }`, false},
		"a field below the root":   {`mutation { createWebhook { login } }`, false},
		"a query":                  {`query mutation { ... { login } }`, false},
		"a seller's own mutations": {`mutation { createWebhook ... { deleteWebhook } }`, false},
	} {
		body, err := json.Marshal(map[string]string{"query": c.document})
		if err != nil {
			t.Fatal(err)
		}
		if got := changesAccount(httptest.NewRequest(http.MethodPost, "/graphql", nil), body); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
