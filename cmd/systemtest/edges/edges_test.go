package edges

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
)

// edgesOf returns the names of all edges, such as Event.ticketTypes.
func edgesOf(schema *ast.Schema) (names []string) {
	for _, definition := range schema.Types {
		for _, field := range definition.Fields {
			if definition.Kind == ast.Object && apitest.IsEdge(definition.Name, field) {
				names = append(names, definition.Name+"."+field.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// manyParents is the number of objects of a list from which an edge is followed.
const manyParents = 100

// An edge takes one statement, for any number of objects, whichever way they were reached (GRAPH-1).
func TestEdgeTakesOneStatement(t *testing.T) {
	t.Parallel()
	c := apitest.OpenCounting(t)
	if got, want := slices.Sorted(maps.Keys(edges)), edgesOf(c.Schema); !slices.Equal(got, want) {
		t.Errorf("tested edges are %q, want %q", got, want)
	}
	seller := c.Demo.Sellers[0]
	scanned, sold := c.Scan(t, seller, "First"), sells(t, c.Server, seller)
	multiply(t, c.Server, "catalog_events", seller.EventID)
	multiply(t, c.Server, "ticket_types", seller.TicketTypeID)
	multiply(t, c.Server, "tickets", sold.ticket)
	multiply(t, c.Server, "transactions", sold.transaction)
	multiply(t, c.Server, "checkouts", sold.checkout)
	multiply(t, c.Server, "invoices", sold.invoice, sold.transaction)
	multiply(t, c.Server, "customers", sold.customer)
	multiply(t, c.Server, "scan_zones", sold.zone)
	multiply(t, c.Server, "access_lists", sold.list)
	multiply(t, c.Server, "access_entries", sold.entry, sold.barcode)
	hook, _ := develops(t, c.Server, seller)
	for range manyParents {
		c.PublishScan(t, seller, "Scanned")
	}
	multiply(t, c.Server, "webhooks", hook)
	ids := linked(t, c.Server, seller, sold)
	multiply(t, c.Server, "invoices", ids["cancellation"])
	multiply(t, c.Server, "scan_groups", seller.ScanGroupID)
	multiply(t, c.Server, "devices", seller.DeviceID)
	multiply(t, c.Server, "scans", scanned)
	multiply(t, c.Server, "purchase_intents", ids["purchaseIntent"])
	code := c.UnknownCode(t, seller, "Lost")
	multiply(t, c.Server, "unknown_codes", idOfUnknownCode(t, c.Server, code), code)
	secrets := administers(t, c, seller)
	awaitTraces(t, c, seller.APIKey)
	for name, e := range edges {
		t.Run(name, func(t *testing.T) {
			secret := cmp.Or(secrets[e.by], seller.APIKey)
			for _, parents := range []int{1, manyParents} {
				for _, spelling := range []string{"nodes { %s }", "edges { node { %s } }"} {
					document := replaced(ids, e.document(name, parents, spelling))
					_, field, _ := strings.Cut(name, ".")
					alone := asked(t, c, secret, fmt.Sprintf(document, "__typename"), parents)
					followed := asked(t, c, secret, fmt.Sprintf(document, field+replaced(ids, e.follow)), parents)
					if len(followed) != len(alone)+max(e.statements, 1) {
						t.Errorf("%d parents by %q: executed %q, want %d more than %q", parents, spelling, followed, max(e.statements, 1), alone)
					}
				}
			}
		})
	}
}

// administers performs actions as an administrator, creates a key, and multiplies what administrators and the platform list.
// It returns the secrets of both.
func administers(t *testing.T, c *apitest.Counting, seller demo.Seller) map[string]string {
	t.Helper()
	as := c.Session(t, seller.AdminEmail, seller.AdminPassword)
	outcome := c.Execute(t, as, `mutation { createApiKey(input: {name: "By a person"}) { _id } }`, nil)
	var key, entry string
	systemtest.Must(t, c.SQL.QueryRowContext(t.Context(), "SELECT id, object_id FROM audit_entries WHERE action = 'createApiKey' ORDER BY id DESC LIMIT 1").
		Scan(&entry, &key))
	if !strings.Contains(string(outcome.Body), key) {
		t.Fatalf("%v, want %s", outcome, key)
	}
	multiply(t, c.Server, "audit_entries", entry)
	multiply(t, c.Server, "api_keys", key)
	multiply(t, c.Server, "sellers", string(seller.SellerID))
	multiply(t, c.Server, "organizations", string(seller.OrganizationID))
	return map[string]string{administrator: strings.TrimPrefix(as["Authorization"], "Bearer "), systemCaller: systemtest.SystemToken}
}

// document returns a document for a page of the list from which the named edge is followed.
func (e edgeRow) document(name string, parents int, selection string) string {
	record, _, _ := strings.Cut(name, ".")
	of := reachedBy[record]
	return fmt.Sprintf("{ %s(%s) { %s } }", of.list, argumentsOf(fmt.Sprintf("first: %d", parents), of.arguments, of.order, e.list), selection)
}

// asked executes a document, which must find the given number of objects without an error, and returns its statements.
func asked(t *testing.T, c *apitest.Counting, key, document string, parents int) []string {
	t.Helper()
	statements, body := answered(t, c, key, object{"query": document})
	if found := strings.Count(body, "{") - 1; found < parents {
		t.Fatalf("%s: %d objects in %s", document, found, body)
	}
	return statements
}

// answered executes a document without an error, and returns the statements of its root fields and its response.
func answered(t *testing.T, c *apitest.Counting, key string, asking object) ([]string, string) {
	t.Helper()
	const route = "/graphql"
	before := len(c.Collector.Requests(route))
	status, body := c.Post(t, route, []byte(textOf(t, asking)), "Authorization: Bearer "+key)
	if status != http.StatusOK || strings.Contains(string(body), `"errors"`) {
		t.Fatalf("%s: %d %s", asking, status, body)
	}
	systemtest.Eventually(t, "the request has been traced", func() bool { return len(c.Collector.Requests(route)) > before })
	return c.Collector.StatementsOfFields(c.Collector.Requests(route)[before]), string(body)
}

// awaitTraces waits until all requests so far have been traced. Traces arrive in order. The last one is recognized by
// its statement.
func awaitTraces(t *testing.T, c *apitest.Counting, key string) {
	t.Helper()
	const route = "/graphql"
	document := textOf(t, object{"query": "{ scanZones(first: 1) { nodes { _id } } }"})
	if status, body := c.Post(t, route, []byte(document), "Authorization: Bearer "+key); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	systemtest.Eventually(t, "the preparations have been traced", func() bool {
		traced := c.Collector.Requests(route)
		last := len(traced) - 1
		return last >= 0 && slices.Equal(c.Collector.StatementsOfFields(traced[last]), []string{"SELECT scan_zones"})
	})
}

// multiply copies a row until there are manyParents of them. The copies have their own _id, barcode and number, and reference
// copies of rows that were copied before.
func multiply(t *testing.T, h *apitest.Server, table, id string, named ...string) {
	t.Helper()
	var text string
	systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), "SELECT to_jsonb(r) FROM "+table+" AS r WHERE id = $1", id).Scan(&text))
	row := systemtest.Decoded(t, []byte(text)).(object)
	own := append([]string{id}, named...)
	if barcode, ok := row["barcode"].(string); ok && barcode != id {
		own = append(own, barcode)
	}
	copies := make([]any, manyParents)
	for i := range copies {
		var renamed []string
		for _, item := range own {
			renamed = append(renamed, item, fmt.Sprintf("copy-%d-of-%s", i, item))
		}
		created := systemtest.Decoded(t, []byte(strings.NewReplacer(renamed...).Replace(text))).(object)
		if number, numbered := created["number"].(json.Number); numbered {
			created["number"] = fmt.Sprintf("%s%03d", number, i)
		}
		if created["token_digest"] != nil { // unique for each device
			created["token_digest"] = nil
		}
		copies[i] = created
	}
	_, err := h.SQL.ExecContext(t.Context(), fmt.Sprintf("INSERT INTO %[1]s SELECT * FROM jsonb_populate_recordset(NULL::%[1]s, $1)", table),
		textOf(t, copies))
	systemtest.Must(t, err)
}
