package apitest

import (
	"fmt"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/rest/resttest"
)

type object = map[string]any

// Steps are subtests that build on each other.
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

// Call is an operation with the arguments of its GraphQL field. For REST, the path and the query are derived from the
// names of arguments and filter fields, and the body is `input`.
type Call struct {
	Operation domain.Operation
	Args      map[string]any
}

// To returns a call of an operation.
func To(operation domain.Operation, args map[string]any) Call {
	return Call{Operation: operation, Args: args}
}

// Outcome is the response of either API.
type Outcome struct {
	Status  int // HTTP status
	Refusal resttest.Error
	Result  any // without null fields; lists as {docs, total}
	Body    []byte
}

// String returns the status and the start of the body.
func (o Outcome) String() string { return fmt.Sprintf("%d %.2000s", o.Status, o.Body) }

// API makes a call through one of the APIs and returns the outcome in a form that is the same for both.
type API func(t *testing.T, who Caller, operation domain.Operation, args object) Outcome

// APIs returns both APIs.
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

// Does makes a call that must succeed, and returns the result.
func (d API) Does(t *testing.T, who Caller, operation domain.Operation, args object) map[string]any {
	t.Helper()
	o := d(t, who, operation, args)
	result, ok := o.Result.(object)
	if !ok || o.Refusal.Code != "" {
		t.Fatalf("%s %v: %v", operation, args, o)
	}
	return result
}

// Refuses makes a call that must fail with a code and with details at exactly these paths.
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

// PathsOf returns the paths of an error's details, separated by spaces.
func PathsOf(refusal resttest.Error) string {
	named := make([]string, 0, len(refusal.Details))
	for _, detail := range refusal.Details {
		named = append(named, detail.Path)
	}
	return strings.Join(named, " ")
}
