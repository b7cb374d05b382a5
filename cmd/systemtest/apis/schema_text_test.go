package apis

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
)

func TestSchemaIsServedAsText(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	const path = "/graphql/schema.graphql"
	viewer := h.Session(t, seller.ViewerEmail, seller.ViewerPassword)["Authorization"]
	for name, row := range map[string]struct {
		method, header string
		status         int
	}{
		"the platform":  {http.MethodGet, "Authorization: Bearer " + systemtest.SystemToken, http.StatusOK},
		"a viewer":      {http.MethodGet, "Authorization: " + viewer, http.StatusOK},
		"a HEAD":        {http.MethodHead, "Authorization: Bearer " + systemtest.SystemToken, http.StatusOK},
		"an API key":    {http.MethodGet, "Authorization: Bearer " + seller.APIKey, http.StatusForbidden},
		"a device":      {http.MethodGet, "Token: " + seller.DeviceToken, http.StatusForbidden},
		"no credential": {http.MethodGet, "Accept: */*", http.StatusUnauthorized},
		"a POST":        {http.MethodPost, "Authorization: Bearer " + systemtest.SystemToken, http.StatusMethodNotAllowed},
	} {
		status, text := systemtest.Request(t, row.method, h.URL+path, "", row.header)
		if status != row.status {
			t.Errorf("%s: %d %.200s", name, status, text)
		}
		if row.method != http.MethodGet || status != http.StatusOK {
			continue
		}
		schema, err := gqlparser.LoadSchema(&ast.Source{Name: path, Input: text})
		if err != nil {
			t.Fatalf("%s: not a schema: %v", name, err)
		}
		if strings.Contains(text, "@go") || schema.Query.Fields.ForName("event") == nil || len(schema.Types) < len(h.Schema.Types) {
			t.Errorf("%s: the text differs from the schema that clients see", name)
		}
	}
}
