package apis

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
)

// Pages only go forward: no connection offers `last` or `before`.
func TestConnectionsOnlyGoForward(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	connections := 0
	for _, definition := range g.Schema.Types {
		for _, field := range definition.Fields {
			if !strings.HasSuffix(field.Type.Name(), "Connection") {
				continue
			}
			connections++
			for name, wanted := range map[string]bool{"first": true, "after": true, "last": false, "before": false} {
				if offered := field.Arguments.ForName(name) != nil; offered != wanted {
					t.Errorf("%s.%s offers %s: %t", definition.Name, field.Name, name, offered)
				}
			}
		}
	}
	if connections < 15 {
		t.Errorf("only %d connections", connections)
	}
	o := g.Execute(t, apitest.Bearer(g.Seller.APIKey), `{ accessLists(first: 0) { edges { cursor } nodes { _id } totalCount pageInfo { hasPreviousPage } } }`, nil)
	if !strings.Contains(string(o.Body), `"edges":[],"nodes":[],"totalCount":2,`) {
		t.Errorf("first 0: %v", o)
	}
}

// A refused field fails the whole document, whatever else it contains, and the error is the same as in REST.
func TestARefusalRevealsNothingElse(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	key, err := g.Do.Keys.Create(g.ActingOn(t, g.Seller), apikey.NewKey{Name: "Weak"})
	systemtest.Must(t, err)
	weak, viewer := apitest.Bearer(key.Secret), g.Session(t, g.Seller.ViewerEmail, g.Seller.ViewerPassword)
	lists := g.Count(t, "SELECT count(*) FROM access_lists")
	const schema = `__schema { queryType { name } }`
	for name, row := range map[string]struct {
		who      apitest.Caller
		document string
		code     domain.Code
	}{
		"a key, with the schema in the same document":    {weak, "{ accessLists { nodes { _id } } " + schema + " }", domain.CodeForbidden},
		"a viewer, with the schema in the same document": {viewer, "{ " + schema + " webhooks { nodes { _id } } }", domain.CodeForbidden},
		"two mutations under aliases": {
			weak, `mutation { a: createAccessList(input: {name: "a"}) { _id } b: createAccessList(input: {name: "b"}) { _id } }`,
			domain.CodeMissingPermission,
		},
		"a mutation by a viewer": {viewer, `mutation { createAccessList(input: {name: "a"}) { _id } }`, domain.CodeForbidden},
	} {
		o := g.Execute(t, row.who, row.document, nil)
		if o.Refusal.Code != string(row.code) || strings.Contains(string(o.Body), `"nodes"`) || strings.Contains(string(o.Body), `"_id"`) {
			t.Errorf("%s: %v", name, o)
		}
	}
	if n := g.Count(t, "SELECT count(*) FROM access_lists"); n != lists {
		t.Errorf("%d lists were created", n-lists)
	}
	for field, path := range map[string]string{
		"accessLists": "/api/access-lists", "scanGroups": "/api/scan-groups", "accessUsers": "/api/accessusers",
	} {
		said := g.REST.In(t).As(key.Secret).Get(path).Refused(http.StatusForbidden, "MISSING_PERMISSION").Message
		o := g.Execute(t, weak, fmt.Sprintf("{ x: %s { nodes { _id } } }", field), nil)
		if o.Refusal.Message != said || o.Refusal.Code != "MISSING_PERMISSION" || !strings.HasPrefix(said, `Missing permission "`) {
			t.Errorf("%s: REST says %s, GraphQL %v", field, said, o)
		}
	}
	status, text := g.Post(t, "/graphql", []byte(`[{"query":"{ accessLists { nodes { _id } } }"},{"query":"{ permissions }"}]`), "Authorization: Bearer "+g.Seller.APIKey)
	if status != http.StatusBadRequest || !strings.Contains(string(text), "batches are not supported") {
		t.Errorf("a batch: %d %s", status, text)
	}
}

// A null filter matches everything, for fields of every type, as a literal and in a variable.
func TestNullFilterIsIgnored(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	who, tried := apitest.Bearer(systemtest.SystemToken).On(g.Seller.SellerID), 0
	for _, field := range g.Schema.Query.Fields {
		filter := field.Arguments.ForName("filter")
		if filter == nil || filter.Type.NonNull || domain.RuleOf(domain.Operation(field.Name)).OnlyDevices() {
			continue
		}
		literal, variable := "", object{}
		for _, member := range g.Schema.Types[filter.Type.Name()].Fields {
			if !member.Type.NonNull {
				literal += member.Name + ": null "
				variable[member.Name] = nil
			}
		}
		other, variables := "", object{"f": variable}
		for _, argument := range field.Arguments {
			if argument.Type.NonNull && argument.DefaultValue == nil {
				other += argument.Name + `: "0" `
			}
		}
		for _, document := range []string{
			fmt.Sprintf("{ %s(%sfilter: {%s}) { nodes { __typename } } }", field.Name, other, literal),
			fmt.Sprintf("query($f: %s) { %s(%sfilter: $f) { nodes { __typename } } }", filter.Type.Name(), field.Name, other),
			fmt.Sprintf("{ %s(%sfilter: null) { nodes { __typename } } }", field.Name, other),
		} {
			if o := g.Execute(t, who, document, variables); o.Refusal.Code != "" && o.Refusal.Code != string(domain.CodeNotFound) {
				t.Errorf("%s: %v", document, o)
			}
		}
		tried++
	}
	if tried < 15 {
		t.Errorf("only %d filters were tried", tried)
	}
}

// Faults in a filter are reported below its argument, together with all other faults.
func TestFaultsOfAFilterNameItsArgument(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	who := apitest.Bearer(systemtest.SystemToken).On(g.Seller.SellerID)
	for arguments, want := range map[string]string{
		`webhookDeliveries(filter: {type: "nope", outcome: "99999"})`:                              "filter.type filter.outcome",
		`webhookDeliveries(first: -1, filter: {type: "nope", outcome: "99999"})`:                   "first filter.type filter.outcome",
		`webhookDeliveries(first: -1, after: "x", filter: {type: "nope"})`:                         "first after filter.type",
		`webhookDeliveries(filter: {from: "x"})`:                                                   "filter.from",
		`webhookDeliveries(filter: {from: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z"})`: "filter.until",
		`webhookDeliveries(after: "none", filter: {state: failed})`:                                "after",
		`events(filter: {startFrom: "x"})`:                                                         "filter.startFrom",
	} {
		o := g.Execute(t, who, "{ "+arguments+" { nodes { __typename } } }", nil)
		var paths []string
		for _, detail := range o.Refusal.Details {
			paths = append(paths, detail.Path)
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s: paths %q, want %q: %v", arguments, got, want, o)
		}
	}
}
