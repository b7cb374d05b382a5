package apitest

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain"
	"ticketgate/rest/resttest"
)

// ThroughGraphQL makes the call with a document that requests every field of the result.
func (h *Server) ThroughGraphQL(t *testing.T, who Caller, c Call) Outcome {
	t.Helper()
	document, variables := h.Document(t, c)
	o := h.Execute(t, who, document, variables)
	if o.Result != nil {
		o.Result = asREST(c.Operation, o.Result.(map[string]any)[string(c.Operation)])
	}
	return o
}

// Execute sends a document. The outcome has all of data as its result, and the first error.
func (h *Server) Execute(t *testing.T, who Caller, document string, variables any) Outcome {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	systemtest.Must(t, err)
	return h.ExecuteBody(t, who, body)
}

// ExecuteBody is like Execute, with a raw request body.
func (h *Server) ExecuteBody(t *testing.T, who Caller, body []byte) Outcome {
	t.Helper()
	headers := append(make([]string, 0, 1+len(who)), "Accept: application/json, text/event-stream")
	for name, value := range who {
		headers = append(headers, name+": "+value)
	}
	status, text := h.Post(t, "/graphql", body, headers...)
	o := Outcome{Status: status, Body: text}
	var answer struct {
		Errors []struct {
			Message    string         `json:"message"`
			Extensions resttest.Error `json:"extensions"`
		} `json:"errors"`
	}
	systemtest.Must(t, json.Unmarshal(text, &answer))
	if len(answer.Errors) > 0 {
		o.Refusal = answer.Errors[0].Extensions
		o.Refusal.Message = answer.Errors[0].Message
	}
	if data := withoutNulls(systemtest.Decoded(t, text).(map[string]any)["data"]); data != nil && len(data.(map[string]any)) > 0 {
		o.Result = data
	}
	return o
}

// Post sends JSON to a path that the OpenAPI document does not describe.
func (h *Server) Post(t *testing.T, path string, body []byte, headers ...string) (int, []byte) {
	t.Helper()
	headers = append([]string{"Content-Type: application/json"}, headers...)
	answer, err := systemtest.Call(t.Context(), http.DefaultClient, http.MethodPost, h.URL+path, string(body), headers...)
	systemtest.Must(t, err)
	defer func() { _ = answer.Body.Close() }()
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		return answer.StatusCode, []byte(EventsIn(answer.Body).next())
	}
	text, err := io.ReadAll(answer.Body)
	systemtest.Must(t, err)
	return answer.StatusCode, text
}

// Document returns a document and its variables that request every field of the operation's result.
func (h *Server) Document(t *testing.T, c Call) (string, map[string]any) {
	t.Helper()
	kind, field := "query", h.Schema.Query.Fields.ForName(string(c.Operation))
	if field == nil {
		kind, field = "mutation", h.Schema.Mutation.Fields.ForName(string(c.Operation))
	}
	if field == nil {
		kind, field = "subscription", h.Schema.Subscription.Fields.ForName(string(c.Operation))
	}
	if field == nil {
		t.Fatalf("the schema has no field %s", c.Operation)
	}
	var declared, passed []string
	variables := map[string]any{}
	for _, definition := range field.Arguments {
		if value, given := c.Args[definition.Name]; given {
			declared = append(declared, "$"+definition.Name+": "+definition.Type.String())
			passed = append(passed, definition.Name+": $"+definition.Name)
			variables[definition.Name] = value
		}
	}
	head, arguments := "", ""
	if len(declared) > 0 {
		head, arguments = "("+strings.Join(declared, ", ")+")", "("+strings.Join(passed, ", ")+")"
	}
	return kind + head + " { " + field.Name + arguments + h.selection(field.Type.Name()) + " }", variables
}

// graphqlOnly are fields that exist only in GraphQL: they show people the name behind an id that REST has, too.
var graphqlOnly = []string{"ApiKey.creatorName"}

// selection returns the selection of every field of a type. The edges of a connection are left out, because they repeat
// its nodes.
func (h *Server) selection(name string, above ...string) string {
	definition := h.Schema.Types[name]
	switch {
	case definition.Kind == ast.Interface && len(above) == 0:
		return " { _id }"
	case definition.Kind != ast.Object || slices.Contains(above, name):
		return ""
	}
	var members []string
	for _, field := range definition.Fields {
		if strings.HasPrefix(field.Name, "__") || field.Name == "edges" || IsEdge(name, field) || slices.Contains(graphqlOnly, name+"."+field.Name) {
			continue
		}
		nested := h.selection(field.Type.Name(), append(above, name)...)
		if h.Schema.Types[field.Type.Name()].Kind == ast.Object && nested == "" {
			continue
		}
		members = append(members, field.Name+nested)
	}
	return " { " + strings.Join(members, " ") + " }"
}

// Unpaged is the operation whose result is a bare array in REST.
const Unpaged = domain.ListDevices

// asREST converts a GraphQL result to the form of REST.
func asREST(operation domain.Operation, value any) any {
	object, ok := value.(map[string]any)
	nodes, isConnection := object["nodes"]
	switch {
	case operation == Unpaged:
		return nodes
	case operation == domain.LookUpTicket && ok:
		whole, _ := object["ticket"].(map[string]any)
		maps.Copy(whole, Without(object, []string{"ticket"}).(map[string]any))
		return whole
	case !ok || !isConnection:
		return value
	}
	return map[string]any{"docs": nodes, "total": object["totalCount"]}
}

// resolved are fields with a resolver that are part of their record, also in REST. All other fields with a resolver are
// edges: they lead to other records or add to their record, need a permission of their own, and don't exist in REST.
var resolved = []string{
	"CheckoutDetailsForm.identificationConfig", "ScanAnswer.ticket", "Seller.identificationConfig", "SimulatedScan.ticket",
}

// IsEdge reports whether a field of a type is an edge.
func IsEdge(typeName string, field *ast.FieldDefinition) bool {
	directive := field.Directives.ForName("goField")
	return directive != nil && directive.Arguments.ForName("forceResolver") != nil && !slices.Contains(resolved, typeName+"."+field.Name)
}

// Without removes the named fields, whose values differ between calls.
func Without(value any, names []string) any {
	if object, ok := value.(map[string]any); ok && len(names) > 0 {
		object = maps.Clone(object)
		maps.DeleteFunc(object, func(name string, _ any) bool { return slices.Contains(names, name) })
		return object
	}
	return value
}
