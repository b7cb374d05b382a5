package graph

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// failure returns an error at events.nodes[at].field.
func failure(at int, field, code string) *gqlerror.Error {
	return &gqlerror.Error{
		Message: code, Extensions: map[string]any{"code": code},
		Path: ast.Path{ast.PathName("events"), ast.PathName("nodes"), ast.PathIndex(at), ast.PathName(field)},
	}
}

func TestFieldReportsOneError(t *testing.T) {
	t.Parallel()
	kept := oncePerField(gqlerror.List{
		failure(7, "parent", "FORBIDDEN"), failure(2, "parent", "FORBIDDEN"), failure(3, "parent", "INTERNAL"),
		failure(1, "tickets", "FORBIDDEN"), failure(10, "parent", "FORBIDDEN"),
	})
	want := []struct {
		path, code string
		count      any
	}{
		{"events.nodes[2].parent", "FORBIDDEN", 3}, {"events.nodes[3].parent", "INTERNAL", nil}, {"events.nodes[1].tickets", "FORBIDDEN", nil},
	}
	if len(kept) != len(want) {
		t.Fatalf("%d errors, want %d: %v", len(kept), len(want), kept)
	}
	for i, w := range want {
		if got := kept[i]; got.Path.String() != w.path || got.Extensions["code"] != w.code || got.Extensions["count"] != w.count {
			t.Errorf("error %d is %s %v, want %v", i, got.Path, got.Extensions, w)
		}
	}
}

func TestStatusOfAFailedDocument(t *testing.T) {
	t.Parallel()
	away := func(wait int64) *gqlerror.Error {
		return &gqlerror.Error{Extensions: map[string]any{"code": "UNAVAILABLE", "retryAfter": wait}}
	}
	limited := &gqlerror.Error{Extensions: map[string]any{"code": "RATE_LIMITED", "retryAfter": int64(3)}}
	missing := &gqlerror.Error{Extensions: map[string]any{"code": "NOT_FOUND"}}
	for name, row := range map[string]struct {
		data   string
		errors gqlerror.List
		status int
		wait   string
	}{
		"no data":                            {"null", gqlerror.List{away(5)}, http.StatusServiceUnavailable, "5"},
		"one field that is null":             {`{"event":null}`, gqlerror.List{away(5)}, http.StatusServiceUnavailable, "5"},
		"every field null: the longest wait": {`{"a":null,"b":null}`, gqlerror.List{limited, away(9)}, http.StatusTooManyRequests, "9"},
		"a field that succeeded":             {`{"a":null,"b":{"_id":"1"}}`, gqlerror.List{away(5)}, http.StatusOK, ""},
		"a field null for another reason":    {`{"a":null,"b":null}`, gqlerror.List{away(5), missing}, http.StatusOK, ""},
		"no error":                           {`{"a":null}`, nil, http.StatusOK, ""},
	} {
		header := http.Header{}
		got := executedStatus(header, &graphql.Response{Data: json.RawMessage(row.data), Errors: row.errors})
		if got != row.status || header.Get("Retry-After") != row.wait {
			t.Errorf("%s: %d, Retry-After %q, want %d, %q", name, got, header.Get("Retry-After"), row.status, row.wait)
		}
	}
}
