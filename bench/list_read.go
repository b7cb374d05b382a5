package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

const (
	// listedEntries is the size of the list whose first page is read.
	listedEntries = 10_000
	// pageSize is the number of entries on a page.
	pageSize = 100
)

// listOfEntries creates a list whose entries have every field except meta. It updates PostgreSQL's statistics, as any
// installation does within a minute.
func (r *rig) listOfEntries(ctx context.Context, as api) (list string, err error) {
	if list, err = as.create(ctx, "/api/access-lists", map[string]any{"name": "Benchmark"}); err != nil {
		return "", err
	}
	var file strings.Builder
	file.WriteString("externalCode,customerId,firstname,lastname,email,phone\n")
	for n := range listedEntries {
		fmt.Fprintf(&file, "CARD-%06d,customer-%d,Zoë,Martin,zoe%d@example.org,+33 1 23 45 67 89\n", n, n, n)
	}
	path := "/api/access-lists/" + list + "/entries/imports"
	staged, err := as.createBy(ctx, path, as.file(path, file.String()))
	if err != nil {
		return "", err
	}
	if _, err := as.call(ctx, http.StatusOK, as.request(http.MethodPost, path+"/"+staged+"/commit", map[string]any{})); err != nil {
		return "", err
	}
	return list, r.cluster.execute(ctx, r.name, "VACUUM (ANALYZE) access_entries")
}

// pageOf returns the REST request for the first page of a list.
func pageOf(list string) func(api) []byte {
	return func(as api) []byte {
		return as.request(http.MethodGet, fmt.Sprintf("/api/access-lists/%s/entries?top=%d", list, pageSize), nil)
	}
}

// pageWithoutTotal is like pageOf, for the bare server, which then does not count the list.
func pageWithoutTotal(list string) func(api) []byte {
	return func(as api) []byte {
		return as.request(http.MethodGet, fmt.Sprintf("%s/api/access-lists/%s/entries?top=%d", withoutTotal, list, pageSize), nil)
	}
}

// listing starts a server and creates a list of entries.
func (r *rig) listing(ctx context.Context) (p *process, s seller, list string, err error) {
	if p, s, err = r.installation(ctx); err == nil {
		list, err = r.listOfEntries(ctx, p.asSeller(s))
	}
	return p, s, list, err
}

// restList measures a page of 100 entries with the total of the list. The target is the speed of a server that does not
// count.
func restList(ctx context.Context, r *rig) (subject, error) {
	p, s, list, err := r.listing(ctx)
	if err != nil {
		return subject{}, err
	}
	prepared, err := r.readByKey(ctx, p, s, pageOf(list), pageOf(list))
	if err != nil {
		return subject{}, err
	}
	counted := comparison{ofBare + " with count(*)", prepared.baseline}
	server, err := r.bareServer(ctx)
	if err != nil {
		return subject{}, err
	}
	as := server.asSeller(s)
	prepared.baseline, _, err = r.reading(ctx, server, as, pageWithoutTotal(list)(as))
	prepared.against, prepared.more = ofBare+" without the total", []comparison{counted}
	return prepared, err
}

// graphqlList measures a page of 100 entries with ten fields each.
func graphqlList(ctx context.Context, r *rig) (subject, error) {
	p, s, list, err := r.listing(ctx)
	if err != nil {
		return subject{}, err
	}
	const query = `query($list: ID!, $first: Int!) { accessListEntries(listId: $list, first: $first) { nodes {
		_id listId externalCode customerId firstname lastname email phone createdAt updatedAt } } }`
	prepared, err := r.readByKey(ctx, p, s, func(as api) []byte {
		return as.graphql(query, map[string]any{"list": list, "first": pageSize})
	}, pageWithoutTotal(list))
	if err != nil {
		return subject{}, err
	}
	prepared.against += " without the total"
	return r.besidePostgraphile(ctx, prepared, `query($list: String!, $first: Int!) {
		allAccessEntries(condition: {listId: $list}, first: $first, orderBy: ROW_ID_ASC) { nodes {
			rowId listId externalCode customerId firstname lastname email phone createdAt updatedAt } } }`,
		map[string]any{"list": list, "first": pageSize})
}

// keysInfo measures the request of a key for its own data.
func keysInfo(ctx context.Context, r *rig) (subject, error) {
	p, s, err := r.installation(ctx)
	if err != nil {
		return subject{}, err
	}
	info := func(as api) []byte { return as.request(http.MethodGet, "/api/keys/info", nil) }
	// The product records the use of a key at most once a minute.
	return r.readByKey(ctx, p, s, info, info, "lastUsedAt")
}

// accessLists measures the list of a seller's access lists, of which there is only one.
func accessLists(ctx context.Context, r *rig) (subject, error) {
	p, s, err := r.installation(ctx)
	if err != nil {
		return subject{}, err
	}
	if _, err := createEntry(ctx, p.asSeller(s)); err != nil {
		return subject{}, err
	}
	lists := func(as api) []byte { return as.request(http.MethodGet, "/api/access-lists", nil) }
	return r.readByKey(ctx, p, s, lists, lists)
}
