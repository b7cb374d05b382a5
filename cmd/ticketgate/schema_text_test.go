package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

func TestTheSchemaIsServedAsText(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	const path = "/graphql/schema.graphql"
	viewer := h.session(t, seller.ViewerEmail, seller.ViewerPassword)["Authorization"]
	for name, row := range map[string]struct {
		method, header string
		status         int
	}{
		"the platform":  {http.MethodGet, "Authorization: Bearer " + rightToken, http.StatusOK},
		"a viewer":      {http.MethodGet, "Authorization: " + viewer, http.StatusOK},
		"a HEAD":        {http.MethodHead, "Authorization: Bearer " + rightToken, http.StatusOK},
		"an API key":    {http.MethodGet, "Authorization: Bearer " + seller.APIKey, http.StatusForbidden},
		"a device":      {http.MethodGet, "Token: " + seller.DeviceToken, http.StatusForbidden},
		"no credential": {http.MethodGet, "Accept: */*", http.StatusUnauthorized},
		"a POST":        {http.MethodPost, "Authorization: Bearer " + rightToken, http.StatusMethodNotAllowed},
	} {
		status, text := request(t, row.method, h.url+path, "", row.header)
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
		if strings.Contains(text, "@go") || schema.Query.Fields.ForName("event") == nil || len(schema.Types) < len(h.schema.Types) {
			t.Errorf("%s: the text is not the schema that clients see", name)
		}
	}
}
