package apitest

import (
	"fmt"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/rest/resttest"
)

type object = map[string]any

// Steps are parts of a test, each of which goes on from where the one before it ended.
type Steps = []struct {
	Name string
	Test func(*testing.T)
}

// Run runs the steps in order.
func Run(t *testing.T, steps Steps) {
	t.Helper()
	for _, step := range steps {
		t.Run(step.Name, step.Test)
	}
}

// Call is an operation with the arguments of its GraphQL field. What REST needs of them it finds by their names: path
// and query by those of arguments and of the filter's members, the body as `input`.
type Call struct {
	Operation domain.Operation
	Args      map[string]any
}

// To is a call of an operation.
func To(operation domain.Operation, args map[string]any) Call {
	return Call{Operation: operation, Args: args}
}

// Outcome is what a door answered.
type Outcome struct {
	Status  int // of HTTP
	Refusal resttest.Error
	Result  any // without members that are null, lists as {docs, total}
	Body    []byte
}

// String shows the status and the start of the body.
func (o Outcome) String() string { return fmt.Sprintf("%d %.2000s", o.Status, o.Body) }

// API makes a call in one of the two ways, and answers in the shape that both share.
type API func(t *testing.T, who Caller, operation domain.Operation, args object) Outcome

// APIs are both of them.
func (h *Server) APIs() map[string]API {
	return map[string]API{
		"REST": func(t *testing.T, who Caller, operation domain.Operation, args object) Outcome {
			t.Helper()
			return h.ThroughREST(t, who, RoutesOf(operation)[0], Call{operation, args})
		},
		"GraphQL": func(t *testing.T, who Caller, operation domain.Operation, args object) Outcome {
			t.Helper()
			return h.ThroughGraphQL(t, who, Call{operation, args})
		},
	}
}

// Does makes a call that must succeed.
func (d API) Does(t *testing.T, who Caller, operation domain.Operation, args object) map[string]any {
	t.Helper()
	o := d(t, who, operation, args)
	result, ok := o.Result.(object)
	if !ok || o.Refusal.Code != "" {
		t.Fatalf("%s %v: %v", operation, args, o)
	}
	return result
}

// Refuses makes a call that must be refused at these paths.
func (d API) Refuses(t *testing.T, who Caller, operation domain.Operation, args object, code domain.Code, paths ...string) Outcome {
	t.Helper()
	o := d(t, who, operation, args)
	named := make([]string, 0, len(o.Refusal.Details))
	for _, detail := range o.Refusal.Details {
		named = append(named, detail.Path)
	}
	if o.Refusal.Code != string(code) || strings.Join(named, " ") != strings.Join(paths, " ") || o.Result != nil {
		t.Errorf("%s %v: got %v, want %s at %v", operation, args, o, code, paths)
	}
	return o
}

// PathsOf joins the paths that a refusal names.
func PathsOf(refusal resttest.Error) string {
	named := make([]string, 0, len(refusal.Details))
	for _, detail := range refusal.Details {
		named = append(named, detail.Path)
	}
	return strings.Join(named, " ")
}
