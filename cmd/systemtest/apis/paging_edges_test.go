package apis

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// edgePage is a page as the edges of a connection show it, with the other parts of the connection.
type edgePage struct {
	edges, nodes []string // ids
	cursors      []string
	start, end   any
}

// edges checks the redundant parts of a connection against each other, and reads a page after each edge: a client may
// continue after any cursor, not only the last.
func (p *pages) edges(t *testing.T, oldest []string) {
	t.Helper()
	newest := slices.Clone(oldest)
	slices.Reverse(newest)
	for order, ids := range map[string][]string{"OLDEST_FIRST": oldest, "NEWEST_FIRST": newest} {
		ordered := *p
		ordered.args = apitest.With(p.args, "order", order)
		whole := ordered.edgesAfter(t, len(ids), nil)
		if !slices.Equal(whole.edges, ids) || whole.start != whole.cursors[0] {
			t.Errorf("%s: the edges are %+v, want %v", order, whole, ids)
		}
		for k, cursor := range whole.cursors {
			want := ids[k+1 : min(k+3, len(ids))]
			if next := ordered.edgesAfter(t, 2, cursor); !slices.Equal(next.edges, want) {
				t.Errorf("%s: after edge %d: got %v, want %v", order, k, next.edges, want)
			} else if !slices.Equal(next.cursors, whole.cursors[k+1:k+1+len(want)]) {
				t.Errorf("%s: after edge %d the cursors are %v, want the rest of %v", order, k, next.cursors, whole.cursors)
			}
		}
	}
}

// foreign checks that a list refuses the cursor of another list, even if the cursor would be valid here.
func (p *pages) foreign(t *testing.T, oldest []string) {
	t.Helper()
	when := moment.New(time.Now())
	for _, cursor := range []domain.Cursor{{ID: oldest[0]}, {ID: oldest[0], CreatedAt: &when}} {
		document, variables := p.Document(t, apitest.To(p.operation, apitest.With(p.args, "after", cursor.Of("another list"))))
		if o := p.Execute(t, p.who, document, variables); o.Refusal.Code != string(domain.CodeValidationFailed) || !strings.Contains(o.Refusal.Message, "after must be a cursor") {
			t.Errorf("another list's cursor: %v", o)
		}
	}
}

// edgesAfter reads a page and checks that edges, nodes and page information agree.
func (p *pages) edgesAfter(t *testing.T, first int, after any) edgePage {
	t.Helper()
	document, variables := p.Document(t, apitest.To(p.operation, apitest.With(apitest.With(p.args, "first", first), "after", after)))
	head, _, _ := strings.Cut(document, " { nodes")
	item := p.itemID()
	o := p.Execute(t, p.who, head+" { edges { cursor node { "+item+" } } nodes { "+item+" } pageInfo { startCursor endCursor } } }", variables)
	if o.Refusal.Code != "" {
		t.Fatalf("edges: %v", o)
	}
	connection := o.Result.(map[string]any)[string(p.operation)].(map[string]any)
	info := connection["pageInfo"].(map[string]any)
	read := edgePage{nodes: idsOf(connection["nodes"]), start: info["startCursor"], end: info["endCursor"]}
	for _, edge := range connection["edges"].([]any) {
		edge := edge.(map[string]any)
		read.edges = append(read.edges, idsOf([]any{edge["node"]})...)
		read.cursors = append(read.cursors, edge["cursor"].(string))
	}
	if !slices.Equal(read.edges, read.nodes) {
		t.Errorf("the edges have %v, the nodes %v", read.edges, read.nodes)
	}
	if last := len(read.cursors) - 1; last < 0 {
		if read.start != nil || read.end != nil {
			t.Errorf("an empty page has startCursor %v and endCursor %v", read.start, read.end)
		}
	} else if read.start != read.cursors[0] || read.end != read.cursors[last] {
		t.Errorf("startCursor %v and endCursor %v don't match the cursors %v", read.start, read.end, read.cursors)
	}
	return read
}

// itemID returns the name of the id field of the list's items.
func (p *pages) itemID() string {
	nodes := p.Schema.Types[p.Schema.Query.Fields.ForName(string(p.operation)).Type.Name()].Fields.ForName("nodes")
	if p.Schema.Types[nodes.Type.Name()].Fields.ForName("_id") != nil {
		return "_id"
	}
	return "id"
}
