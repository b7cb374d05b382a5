package main

import (
	"context"
	"fmt"
	"net/http"
)

// entry identifies the row to read: an entry of an access list with a value in every field.
type entry struct{ list, id string }

// fullEntry returns an entry with a value in every field.
func fullEntry(code string) map[string]any {
	return map[string]any{
		"externalCode": code, "customerId": "6570c1119d3e4f0012ab0200", "firstname": "Zoë", "lastname": "Martin",
		"email": "zoe.martin@example.org", "phone": "+33 1 23 45 67 89", "meta": map[string]any{"department": "Backstage"},
	}
}

// createEntry creates a list with one entry. A longer list would make no difference, because the entry is read by id.
func createEntry(ctx context.Context, as api) (entry, error) {
	list, err := as.create(ctx, "/api/access-lists", map[string]any{"name": "Benchmark"})
	if err != nil {
		return entry{}, err
	}
	id, err := as.create(ctx, "/api/access-lists/"+list+"/entries", fullEntry("BADGE-0001"))
	return entry{list, id}, err
}

// get returns the REST request that reads the entry. It is the most common kind of read: two values in the path, one
// row, no list.
func (e entry) get(as api) []byte {
	return as.request(http.MethodGet, "/api/access-lists/"+e.list+"/entries/"+e.id, nil)
}

// restRead measures reading a row by id over REST, with a key.
func restRead(ctx context.Context, r *rig) (subject, error) {
	p, s, err := r.installation(ctx)
	if err != nil {
		return subject{}, err
	}
	e, err := createEntry(ctx, p.asSeller(s))
	if err != nil {
		return subject{}, err
	}
	return r.readByKey(ctx, p, s, e.get, e.get)
}

// readByKey prepares the measurement of a request with a seller's key, with the bare server as its baseline. If both
// use REST, the responses must be equal, except for the fields in varies.
func (r *rig) readByKey(
	ctx context.Context, p *process, s seller, request, bare func(api) []byte, varies ...string,
) (subject, error) {
	statements, err := r.observe(ctx, s, request)
	if err != nil {
		return subject{}, err
	}
	server, err := r.bareServer(ctx)
	if err != nil {
		return subject{}, err
	}
	return r.besideBare(ctx, pairing{
		product: p.asSeller(s), bare: server.asSeller(s), request: request, same: bare, varies: varies,
		remark: fmt.Sprintf("%d SQL statement(s) each", len(statements)),
	}, p, server)
}

// graphqlRead measures reading all fields of the entry over GraphQL.
func graphqlRead(ctx context.Context, r *rig) (subject, error) {
	p, s, err := r.installation(ctx)
	if err != nil {
		return subject{}, err
	}
	e, err := createEntry(ctx, p.asSeller(s))
	if err != nil {
		return subject{}, err
	}
	// The query has variables, as generated clients send it: it is parsed once and then cached.
	const query = `query($list: ID!, $id: ID!) { accessListEntry(listId: $list, id: $id) {
		_id listId sellerId externalCode customerId firstname lastname email phone meta createdAt updatedAt } }`
	prepared, err := r.readByKey(ctx, p, s, func(as api) []byte {
		return as.graphql(query, map[string]any{"list": e.list, "id": e.id})
	}, e.get)
	if err != nil {
		return subject{}, err
	}
	return r.besidePostgraphile(ctx, prepared, `query($id: String!) { accessEntryByRowId(rowId: $id) {
		rowId listId sellerId externalCode customerId firstname lastname email phone meta createdAt updatedAt } }`,
		map[string]any{"id": e.id})
}
