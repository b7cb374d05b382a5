package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// edgeRow is a field that leads from the objects of a list to others.
type edgeRow struct {
	// list is the root field, with its arguments beside `first`.
	list, arguments string
	// follow selects the edge.
	follow string
}

// edges are all fields that lead from an object to another, by type and name.
var edges = map[string]edgeRow{
	"Event.ticketTypes": {list: "events", follow: "ticketTypes(first: 1) { nodes { _id } }"},
	"TicketType.event":  {list: "ticketTypes", follow: "event { _id }"},
	"Ticket.event":      {list: "tickets", follow: "event { _id }"},
	"Ticket.ticketType": {list: "tickets", follow: "ticketType { _id }"},
}

// manyParents is how many objects of a list an edge is followed from.
const manyParents = 100

// An edge takes one statement, from however many objects it is followed, and whichever way they are reached (GRAPH-1).
func TestAnEdgeTakesOneStatement(t *testing.T) {
	t.Parallel()
	c := openCounting(t)
	seller := c.world.Sellers[0]
	sold := c.sells(t, seller)
	for table, id := range map[string]string{
		"catalog_events": seller.EventID, "ticket_types": seller.TicketTypeID, "tickets": sold.ticket,
	} {
		c.multiply(t, table, id)
	}
	for name, e := range edges {
		t.Run(name, func(t *testing.T) {
			for _, parents := range []int{1, manyParents} {
				for _, spelling := range []string{"nodes { %s }", "edges { node { %s } }"} {
					alone := c.asked(t, seller.APIKey, e.document(parents, fmt.Sprintf(spelling, "__typename")), parents)
					followed := c.asked(t, seller.APIKey, e.document(parents, fmt.Sprintf(spelling, e.follow)), parents)
					if len(followed) != len(alone)+1 {
						t.Errorf("%d parents by %q: executed %q, want one statement more than %q", parents, spelling, followed, alone)
					}
				}
			}
		})
	}
}

// document asks for a page of the list.
func (e edgeRow) document(parents int, selection string) string {
	arguments := strings.Join(slices.DeleteFunc([]string{fmt.Sprintf("first: %d", parents), e.arguments},
		func(one string) bool { return one == "" }), ", ")
	return fmt.Sprintf("{ %s(%s) { %s } }", e.list, arguments, selection)
}

// asked executes a document, which must find so many objects without an error, and returns its statements. That of a key whose
// check is not remembered is none of them.
func (c *counting) asked(t *testing.T, key, document string, parents int) []string {
	t.Helper()
	const route = "/graphql"
	before := len(c.collector.requests(route))
	status, body := c.post(t, route, []byte(textOf(t, object{"query": document})), "Authorization: Bearer "+key)
	if status != http.StatusOK || strings.Contains(string(body), `"errors"`) {
		t.Fatalf("%s: %d %s", document, status, body)
	}
	if found := strings.Count(string(body), "{") - 1; found < parents {
		t.Fatalf("%s: %d objects in %s", document, found, body)
	}
	eventually(t, "the request has been traced", func() bool { return len(c.collector.requests(route)) > before })
	statements := c.collector.statementsOf(c.collector.requests(route)[before])
	return slices.DeleteFunc(statements, func(name string) bool { return name == keyCheck })
}

// multiply copies a row until there are as many as an edge is followed from, each with an _id and a barcode of its own.
func (h *house) multiply(t *testing.T, table, id string) {
	t.Helper()
	_, err := h.sql.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO %[1]s
		SELECT (jsonb_populate_record(NULL::%[1]s, replace(replace(to_jsonb(row)::text, id, 'copy-' || number || '-of-' || id),
			coalesce(to_jsonb(row) ->> 'barcode', id), 'code-' || number || '-of-' || id)::jsonb)).*
		FROM %[1]s AS row, generate_series(1, $1) AS number WHERE id = $2`, table), manyParents, id)
	must(t, err)
}
