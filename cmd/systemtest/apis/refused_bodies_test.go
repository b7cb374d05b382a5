package apis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// TestARefusedBodyChangesNothing sends bodies with one fault in each value to every operation that takes a body,
// through both APIs. The program's database sessions are read-only: PostgreSQL refuses each statement that writes,
// locks a row or takes the next value of a sequence (BODY-1).
func TestARefusedBodyChangesNothing(t *testing.T) {
	t.Parallel()
	refusedBodies{Server: apitest.Open(t), faultsOfAValue: 1}.try(t)
}

// refusedBodies sends bodies with faults. faultsOfAValue is the number of kinds of faults per value.
type refusedBodies struct {
	*apitest.Server
	faultsOfAValue int
	reading        *apitest.Server
	ids            kept
	seller         demo.Seller
	who            apitest.Caller
	refused        map[domain.Operation]int
}

func (r refusedBodies) try(t *testing.T) {
	t.Helper()
	r.seller = r.Demo.Sellers[0]
	r.ids, r.who = keep(t, r.Server, r.seller, ownMark), apitest.Bearer(systemtest.SystemToken).On(r.seller.SellerID)
	r.reading, r.refused = r.ReadOnly(t), map[domain.Operation]int{}
	for _, operation := range slices.Sorted(maps.Keys(samples)) {
		if rule := domain.RuleOf(operation); !r.takesBody(operation) || (!rule.System && !rule.Public) {
			continue
		}
		for _, s := range samples[operation] {
			r.tryOperation(t, operation, s)
		}
		if r.refused[operation] == 0 {
			t.Errorf("%s refused no body", operation)
		}
	}
	if len(r.refused) < 35 {
		t.Errorf("only %d operations were tried", len(r.refused))
	}
	t.Logf("refused bodies by operation: %v", r.refused)
}

// takesBody reports whether a permitted operation has an argument that REST would take as a body.
func (r refusedBodies) takesBody(operation domain.Operation) bool {
	field := r.Schema.Mutation.Fields.ForName(string(operation))
	return field != nil && slices.ContainsFunc(apitest.Bodies, func(name string) bool { return field.Arguments.ForName(name) != nil })
}

func (r refusedBodies) tryOperation(t *testing.T, operation domain.Operation, s sample) {
	t.Helper()
	args := s.arguments(r.ids, r.ids[s.object])
	if s.namesSeller {
		r.who = apitest.Bearer(systemtest.SystemToken)
	}
	for _, name := range apitest.Bodies {
		body, sent := args[name]
		if !sent {
			continue
		}
		wrong := r.faulty(body, name, 0)
		if _, isObject := body.(map[string]any); isObject {
			wrong[name+".color"] = []any{"red"}
		}
		for _, path := range slices.Sorted(maps.Keys(wrong)) {
			for _, value := range wrong[path] {
				r.send(t, operation, s, apitest.With(args, path, value), fmt.Sprintf("%s: %.40v", path, value))
			}
		}
	}
}

// faulty returns faulty values for each value of a body, by path.
func (r refusedBodies) faulty(value any, path string, turn int) map[string][]any {
	wrong := map[string][]any{}
	take := func(faults ...any) {
		for i := range min(r.faultsOfAValue, len(faults)) {
			wrong[path] = append(wrong[path], faults[(turn+i)%len(faults)])
		}
	}
	switch value := value.(type) {
	case map[string]any:
		take(1, []any{}, nil)
		for i, name := range slices.Sorted(maps.Keys(value)) {
			maps.Copy(wrong, r.faulty(value[name], path+"."+name, turn+i))
		}
	case []any:
		take("none", []any{1}, nil)
		for i, element := range value {
			maps.Copy(wrong, r.faulty(element, fmt.Sprintf("%s.%d", path, i), turn+i))
		}
	case string:
		take(strings.Repeat("x", 5000), strings.Repeat("0", 24), 5, nil, "", "a\x00b")
	case bool:
		take("true", nil)
	default:
		take(-1, "1", 1e300, nil)
	}
	return wrong
}

// send makes one call to the read-only program. If that fails, the call is repeated where it can write, and must succeed.
func (r refusedBodies) send(t *testing.T, operation domain.Operation, s sample, args map[string]any, what string) {
	t.Helper()
	through := map[string]func(h *apitest.Server, args map[string]any) apitest.Outcome{
		"GraphQL": func(h *apitest.Server, args map[string]any) apitest.Outcome {
			return h.ThroughGraphQL(t, r.who, apitest.To(operation, args))
		},
	}
	for _, route := range apitest.RoutesOf(operation) {
		if operation == domain.PreviewEntryImport || !fillsPath(route.Path, args) {
			continue // its body is a file, or REST can't express it
		}
		through["REST "+route.Path] = func(h *apitest.Server, args map[string]any) apitest.Outcome {
			return h.ThroughREST(t, r.who, route, apitest.To(operation, args))
		}
	}
	for name, api := range through {
		switch o := api(r.reading, args); domain.Code(o.Refusal.Code) {
		case domain.CodeValidationFailed, domain.CodeInvalidRequest:
			r.refused[operation]++
			continue
		case domain.CodeUnavailable, domain.CodeInternal:
		default:
			continue // does not exist, or has the wrong state
		}
		if s.usesUp {
			args = apitest.With(args, s.target, makers[s.object](r.Server, t, r.seller, ownMark))
		}
		counted := r.Count(t, "SELECT coalesce(sum(refusals), 0) FROM identification_refusals")
		o := api(r.Server, args)
		if code := domain.Code(o.Refusal.Code); code != domain.CodeValidationFailed && code != domain.CodeInvalidRequest {
			continue
		}
		// Refused buyers are counted for the seller's statistics.
		if r.Count(t, "SELECT coalesce(sum(refusals), 0) FROM identification_refusals") == counted {
			t.Errorf("%s through %s with %s was refused after it had acted: %v", operation, name, what, o)
		}
	}
}

// fillsPath reports whether the input has the text that a path needs.
func fillsPath(path string, args map[string]any) bool {
	input, _ := args["input"].(map[string]any)
	for _, placeholder := range apitest.InBraces.FindAllString(path, -1) {
		name := cmp.Or(apitest.NamedInPath[path], strings.Trim(placeholder, "{}"))
		value, outside := args[name]
		if !outside {
			value = input[name]
		}
		if text, ok := value.(string); !ok || text == "" {
			return false
		}
	}
	return true
}
