package apis

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/rest"
)

// pagedList describes how to fill a list.
type pagedList struct {
	// begin creates the parent of the rows, if any, and returns the arguments of every call.
	begin func(h *apitest.Server, t *testing.T, seller demo.Seller) map[string]any
	// row creates one more row.
	row maker
}

// TestListsArePagedInBothAPIs reads the same rows by both kinds of paging.
func TestListsArePagedInBothAPIs(t *testing.T) { //nolint:tparallel // the lists share a seller
	t.Parallel()
	h := apitest.Open(t)
	for _, field := range h.Schema.Query.Fields {
		if !strings.HasSuffix(field.Type.Name(), "Connection") {
			continue
		}
		operation := domain.Operation(field.Name)
		list, known := pagedLists[operation]
		if !known {
			t.Errorf("%s has no paged list; add a row to lists in its area's samples_*_test.go", operation)
			continue
		}
		t.Run(field.Name, func(t *testing.T) {
			seller := h.Demo.Sellers[1]
			p := &pages{Server: h, operation: operation, who: reader(t, h, operation, seller)}
			if routes := apitest.RoutesOf(operation); len(routes) > 0 && operation != apitest.Unpaged {
				p.route = &routes[0]
			}
			if list.begin != nil {
				p.args = list.begin(h, t, seller)
			}
			p.more = func() { list.row(h, t, seller, "Row") }
			for range 7 {
				p.more()
			}
			p.test(t)
		})
	}
}

// pages reads one list.
type pages struct {
	*apitest.Server
	operation domain.Operation
	route     *rest.Route // nil if only GraphQL pages the list
	who       apitest.Caller
	args      map[string]any
	more      func()
}

// reader returns a caller that may read the list.
func reader(t *testing.T, h *apitest.Server, operation domain.Operation, seller demo.Seller) apitest.Caller {
	t.Helper()
	switch rule := domain.RuleOf(operation); {
	case rule.OnlyDevices():
		return apitest.DeviceOf(seller)
	case rule.Permission != "":
		return apitest.Bearer(seller.APIKey)
	case rule.Role != domain.NoRole:
		return h.Session(t, seller.AdminEmail, seller.AdminPassword)
	}
	return apitest.Bearer(systemtest.SystemToken)
}

// page is the result of one call.
type page struct {
	ids         []string
	total       string
	hasNextPage bool
	endCursor   any
}

func (p *pages) test(t *testing.T) {
	t.Helper()
	whole := p.after(t, 150, nil) // the seed may have created rows; 150 is the most that a document may request of transactions
	rows, total := len(whole.ids), strconv.Itoa(len(whole.ids))
	if rows < 7 || whole.total != total {
		t.Fatalf("the whole list: %+v", whole)
	}
	p.wantIDs(t, "first 0", p.after(t, 0, nil), nil, total)
	if p.route != nil {
		p.wantIDs(t, "without a page", p.skipping(t, ""), whole.ids, total)
		p.wantIDs(t, "skip beyond the end", p.skipping(t, "top=3&skip=1000"), nil, total)
		p.wantIDs(t, "skipping", p.inPages(t, p.bySkip), whole.ids, total)
	}
	p.wantIDs(t, "by cursor", p.inPages(t, p.byCursor), whole.ids, total)
	newest := slices.Clone(whole.ids)
	slices.Reverse(newest)
	p.wantIDs(t, "newest first", p.inPages(t, p.backwards), newest, total)
	if exactly, fewer := p.after(t, rows, nil), p.after(t, rows-1, nil); exactly.hasNextPage || !fewer.hasNextPage {
		t.Errorf("hasNextPage: %v with no row left, %v with one left", exactly.hasNextPage, fewer.hasNextPage)
	}
	last := p.after(t, rows, nil)
	if beyond := p.after(t, 3, last.endCursor); len(beyond.ids) != 0 || beyond.hasNextPage || beyond.total != total {
		t.Errorf("after the last row: %+v", beyond)
	}
	p.edges(t, whole.ids)
	p.foreign(t, whole.ids)
	p.growsAhead(t, newest)
	p.grows(t, append(whole.ids, p.backwards(t, page{}).ids[0]))
	p.refusesConnections(t)
	if p.route != nil {
		p.refusesPages(t)
	}
}

func (p *pages) wantIDs(t *testing.T, what string, got page, ids []string, total string) {
	t.Helper()
	if !slices.Equal(got.ids, ids) || got.total != total {
		t.Errorf("%s: got %v of %s, want %v of %s", what, got.ids, got.total, ids, total)
	}
}

// bySkip and byCursor return the page after the rows that were read.
func (p *pages) bySkip(t *testing.T, read page) page {
	t.Helper()
	return p.skipping(t, fmt.Sprintf("top=3&skip=%d", len(read.ids)))
}

func (p *pages) byCursor(t *testing.T, read page) page {
	t.Helper()
	return p.after(t, 3, read.endCursor)
}

// backwards is like byCursor, starting with the newest row.
func (p *pages) backwards(t *testing.T, read page) page {
	t.Helper()
	newest := *p
	newest.args = apitest.With(p.args, "order", "NEWEST_FIRST")
	return newest.after(t, 3, read.endCursor)
}

// inPages reads pages until one is empty, and joins them.
func (p *pages) inPages(t *testing.T, next func(*testing.T, page) page) page {
	t.Helper()
	var read page
	for {
		other := next(t, read)
		if len(other.ids) == 0 {
			return read
		}
		if read.total != "" && read.total != other.total {
			t.Errorf("the total went from %s to %s while nothing was written", read.total, other.total)
		}
		other.ids = append(read.ids, other.ids...)
		read = other
	}
}

// grows inserts a row between the first page and the second: no row is repeated or missing, and the new one comes last.
func (p *pages) grows(t *testing.T, before []string) {
	t.Helper()
	ways := map[string]func(*testing.T, page) page{"cursor": p.byCursor}
	if p.route != nil {
		ways["skip"] = p.bySkip
	}
	for name, next := range ways {
		grown := false
		read := p.inPages(t, func(t *testing.T, read page) page {
			t.Helper()
			if len(read.ids) == 3 && !grown {
				p.more()
				grown = true
				read.total = ""
			}
			other := next(t, read)
			other.total = ""
			return other
		})
		if len(read.ids) != len(before)+1 || !slices.Equal(read.ids[:len(before)], before) {
			t.Errorf("by %s, with a row inserted in between: got %v after %v", name, read.ids, before)
		}
		before = read.ids
	}
}

// growsAhead inserts a row while the list is read newest first: the following pages don't change.
func (p *pages) growsAhead(t *testing.T, newest []string) {
	t.Helper()
	first := p.backwards(t, page{})
	p.more()
	if other := p.backwards(t, first); !slices.Equal(other.ids, newest[3:6]) {
		t.Errorf("newest first, with a row inserted in between: got %v after %v, want %v", other.ids, first.ids, newest[3:6])
	}
}

// refusesPages tries invalid pages of REST.
func (p *pages) refusesPages(t *testing.T) {
	t.Helper()
	for _, query := range []string{
		"top=0", "top=1001", "top=-1", "top=1e3", "top=+5", "top=٥", "top=00010", "top=1.0", "top=1&top=2", "top=", "top=%20",
		"skip=-1", "skip=9223372036854775808", "skip=1&skip=1", "Top=1", "first=3", "name[]=x", "limit=10",
	} {
		o := p.restList(t, query)
		name, _, _ := strings.Cut(query, "=")
		if o.Status != http.StatusBadRequest || len(o.Refusal.Details) == 0 || o.Refusal.Details[0].Path != name {
			t.Errorf("%s: %v", query, o)
		}
		if range1000 := query == "top=0" || query == "top=1001"; range1000 && !strings.Contains(o.Refusal.Message, "1 to 1000") {
			t.Errorf("%s: the message does not name the range: %s", query, o.Refusal.Message)
		}
	}
}

// refusesConnections tries invalid pages and cursors of GraphQL.
func (p *pages) refusesConnections(t *testing.T) {
	t.Helper()
	for _, cursor := range []string{"", "%%%", "not a cursor", "AA", "gICA", "Mjb8"} {
		o := p.connection(t, 3, cursor)
		if o.Refusal.Code != string(domain.CodeValidationFailed) || o.Refusal.Details[0].Path != "after" {
			t.Errorf("cursor %q: %v", cursor, o)
		}
	}
	for _, first := range []any{-1, 1001} {
		if o := p.counted(t, first); o.Refusal.Code != string(domain.CodeValidationFailed) || o.Refusal.Details[0].Path != "first" {
			t.Errorf("first %v: %v", first, o)
		}
	}
}

// restList reads a page with a given query string.
func (p *pages) restList(t *testing.T, query string) apitest.Outcome {
	t.Helper()
	return p.ThroughREST(t, p.who, *p.route, apitest.To(p.operation, apitest.With(p.args, "query", query)))
}

func (p *pages) skipping(t *testing.T, query string) page {
	t.Helper()
	o := p.restList(t, query)
	if o.Status != http.StatusOK {
		t.Fatalf("%s: %v", query, o)
	}
	list := o.Result.(map[string]any)
	return page{ids: idsOf(list["docs"]), total: fmt.Sprint(list["total"])}
}

// connection requests a page with every field of the connection.
func (p *pages) connection(t *testing.T, first, after any) apitest.Outcome {
	t.Helper()
	args := apitest.With(apitest.With(p.args, "first", first), "after", after)
	document, variables := p.Document(t, apitest.To(p.operation, args))
	return p.Execute(t, p.who, document, variables)
}

// counted requests only the total of a page, which is cheap however many objects a row has.
func (p *pages) counted(t *testing.T, first any) apitest.Outcome {
	t.Helper()
	document, variables := p.Document(t, apitest.To(p.operation, apitest.With(p.args, "first", first)))
	head, _, _ := strings.Cut(document, " { nodes")
	return p.Execute(t, p.who, head+" { totalCount } }", variables)
}

func (p *pages) after(t *testing.T, first int, after any) page {
	t.Helper()
	o := p.connection(t, first, after)
	if o.Refusal.Code != "" {
		t.Fatalf("first %d: %v", first, o)
	}
	connection := o.Result.(map[string]any)[string(p.operation)].(map[string]any)
	info := connection["pageInfo"].(map[string]any)
	return page{
		ids: idsOf(connection["nodes"]), total: fmt.Sprint(connection["totalCount"]),
		hasNextPage: info["hasNextPage"].(bool), endCursor: info["endCursor"],
	}
}

// idsOf returns the ids of rows: `id` of a delivery, `_id` of all others.
func idsOf(rows any) []string {
	var ids []string
	for _, row := range rows.([]any) {
		object := row.(map[string]any)
		id, ok := object["_id"].(string)
		if !ok {
			id = object["id"].(string)
		}
		ids = append(ids, id)
	}
	return ids
}
