package main

import (
	"context"
	"net/http"
)

// entry is the row that is read: an access list's, with every member set.
type entry struct{ list, id string }

// createEntry makes a list and its one entry. A longer list would change nothing: the row is found by its identifier.
func createEntry(ctx context.Context, as api) (entry, error) {
	list, err := as.create(ctx, "/api/access-lists", map[string]any{"name": "Benchmark"})
	if err != nil {
		return entry{}, err
	}
	id, err := as.create(ctx, "/api/access-lists/"+list+"/entries", map[string]any{
		"externalCode": "BADGE-0001", "customerId": "6570c1119d3e4f0012ab0200", "firstname": "Zoë", "lastname": "Martin",
		"email": "zoe.martin@example.org", "phone": "+33 1 23 45 67 89", "meta": map[string]any{"department": "Backstage"},
	})
	return entry{list, id}, err
}

// readEntry prepares the reading of an entry through one of the doors.
func readEntry(ctx context.Context, r *rig, request func(api, entry) []byte) (subject, error) {
	p, s, err := r.installation(ctx)
	if err != nil {
		return subject{}, err
	}
	e, err := createEntry(ctx, p.asSeller(s))
	if err != nil {
		return subject{}, err
	}
	return r.reading(ctx, p, s, func(as api) []byte { return request(as, e) })
}

// restRead is one key-checked read of a row by its identifier.
func restRead(ctx context.Context, r *rig) (subject, error) {
	return readEntry(ctx, r, func(as api, e entry) []byte {
		// By far the most frequent shape of a documented read: two path values, one row, no list.
		return as.request(http.MethodGet, "/api/access-lists/"+e.list+"/entries/"+e.id, nil)
	})
}

// graphqlRead asks GraphQL for every member that REST shows.
func graphqlRead(ctx context.Context, r *rig) (subject, error) {
	// With variables, as generated clients send it: the document is parsed once and then found in the cache.
	const query = `query($list: ID!, $id: ID!) { accessListEntry(listId: $list, id: $id) {
		_id listId sellerId externalCode customerId firstname lastname email phone meta createdAt updatedAt } }`
	return readEntry(ctx, r, func(as api, e entry) []byte {
		return as.graphql(query, map[string]any{"list": e.list, "id": e.id})
	})
}
