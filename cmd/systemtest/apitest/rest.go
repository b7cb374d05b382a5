package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain"
	"ticketgate/rest"
)

// codesFile returns the codes of rows as a file with one per line.
func codesFile(rows any) json.RawMessage {
	var file bytes.Buffer
	list, _ := rows.([]any)
	for _, row := range list {
		fmt.Fprintln(&file, row.(map[string]any)["externalCode"])
	}
	return file.Bytes()
}

// RoutesOf returns the documented paths of an operation.
func RoutesOf(operation domain.Operation) []rest.Route {
	return slices.DeleteFunc(rest.Routes(), func(r rest.Route) bool { return r.Operation != operation })
}

// ThroughREST makes the call on a documented path. The client validates it against the OpenAPI document.
func (h *Server) ThroughREST(t *testing.T, who Caller, route rest.Route, c Call) Outcome {
	t.Helper()
	client := h.REST.In(t)
	for name, value := range who {
		client = client.With(name, value)
	}
	path, body := requestOf(t, route, c)
	if route.Operation == domain.PreviewEntryImport {
		body, client = codesFile(body), client.With("Content-Type", "text/csv")
	}
	answer := client.Do(route.Method, path, body)
	o := Outcome{Status: answer.Status, Body: answer.Body}
	if answer.Status >= http.StatusBadRequest {
		answer.Into(&o.Refusal)
		return o
	}
	o.Result = withoutNulls(systemtest.Decoded(t, answer.Body))
	return o
}

// NamedInPath has the parameters of paths whose name differs from the schema's.
var NamedInPath = map[string]string{"/api/webhooks/{id}/deliveries": "webhookId"}

// InBraces matches the parameters of a path.
var InBraces = regexp.MustCompile(`\{(\w+)\}`)

// requestOf converts a call to a REST request. Arguments are taken at any depth. Those that the path names become part
// of it. If no part of an input is in the path, the input is the body. Otherwise its fields, like all other arguments,
// become the query.
func requestOf(t *testing.T, route rest.Route, c Call) (path string, body any) {
	t.Helper()
	left := map[string]any{}
	filter, _ := c.Args["filter"].(map[string]any)
	maps.Copy(left, c.Args)
	maps.Copy(left, filter)
	delete(left, "filter")
	if c.Operation == Unpaged {
		delete(left, "first")
	}
	path = InBraces.ReplaceAllStringFunc(route.Path, func(placeholder string) string {
		name := strings.Trim(placeholder, "{}")
		if other := NamedInPath[route.Path]; other != "" {
			name = other
		}
		if input, inside := left["input"].(map[string]any); inside && left[name] == nil {
			delete(left, "input")
			maps.Copy(left, input)
		}
		value, ok := left[name].(string)
		if !ok {
			t.Fatalf("%s: no argument %s for %s", c.Operation, name, route.Path)
		}
		delete(left, name)
		return url.PathEscape(value)
	})
	for _, name := range Bodies {
		if sent, ok := left[name]; ok {
			body = sent
			delete(left, name)
		}
	}
	return path + queryOf(left), body
}

// Bodies are the arguments that REST takes as a body.
var Bodies = []string{"input", "scans", "rows"}

// queryOf returns the query string of arguments that are in neither the path nor the body.
func queryOf(args map[string]any) string {
	// The query is given literally, in a form that no encoder produces.
	if written, ok := args["query"].(string); ok {
		return "?" + written
	}
	query := url.Values{}
	for name, value := range args {
		if name == "first" {
			name = "top"
		}
		if value != nil {
			query.Set(name, fmt.Sprint(value))
		}
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// With returns a copy of the arguments with a new value at a dotted path. Numbers in the path are indexes of lists.
func With(args map[string]any, path string, value any) map[string]any {
	changed, _ := changedAt(args, path, value).(map[string]any)
	return changed
}

// changedAt returns a copy of a JSON value in which the value at a path is replaced. Missing objects on the path are
// created, and only the changed parts are copied.
func changedAt(whole any, path string, value any) any {
	first, other, nested := strings.Cut(path, ".")
	if list, ok := whole.([]any); ok {
		index, _ := strconv.Atoi(first)
		changed := slices.Clone(list)
		if nested {
			value = changedAt(list[index], other, value)
		}
		changed[index] = value
		return changed
	}
	members, _ := whole.(map[string]any)
	changed := maps.Clone(members)
	if changed == nil {
		changed = map[string]any{}
	}
	if nested {
		value = changedAt(changed[first], other, value)
	}
	changed[first] = value
	return changed
}
