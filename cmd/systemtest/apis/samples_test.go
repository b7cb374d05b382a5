package apis

import (
	"cmp"
	"fmt"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// The tests that run through the table of operations (parity of the APIs, separation of tenants, paging of lists) find here
// how to call each operation. An operation without a row fails TestEveryOperationHasASample.
//
// Each area has a file, samples_<area>_test.go, and a line in areas below:
//
//	var stallArea = area{
//		samples: map[domain.Operation][]sample{
//			domain.CreateStall: {{args: object{"input": object{"name": fresh("Stall "), "eventId": own("event")}}}},
//			domain.GetStall:    {{target: "id", object: "stall"}},
//			domain.ListStalls:  {{}},
//		},
//		makers: map[string]maker{"stall": (*apitest.Server).Stall},
//		lists:  map[domain.Operation]pagedList{domain.ListStalls: {row: (*apitest.Server).Stall}},
//	}
//
// It also needs a method that creates one: func (h *Server) Stall(t *testing.T, seller demo.Seller, mark string)
// string. Arguments are those of the GraphQL field. requestOf derives REST's path, query and body from their names.
type area struct {
	samples map[domain.Operation][]sample
	makers  map[string]maker
	// lists are the lists that are paged.
	lists map[domain.Operation]pagedList
	// refusals are inputs that both APIs refuse.
	refusals map[domain.Operation][]refusal
}

// areas lists all areas.
var areas = []area{
	tenantArea, webhookArea, accessArea, catalogArea, ticketArea, gateArea, checkoutArea, invoiceArea,
	purchaseIntentArea,
}

// The contents of the areas, joined.
var (
	samples    = joined(func(a area) map[domain.Operation][]sample { return a.samples })
	makers     = joined(func(a area) map[string]maker { return a.makers })
	pagedLists = joined(func(a area) map[domain.Operation]pagedList { return a.lists })
	refusals   = joined(func(a area) map[domain.Operation][]refusal { return a.refusals })
)

func joined[K comparable, V any](of func(area) map[K]V) map[K]V {
	all := map[K]V{}
	for _, a := range areas {
		for key, value := range of(a) {
			if _, twice := all[key]; twice {
				panic(fmt.Sprintf("two areas have %v", key))
			}
			all[key] = value
		}
	}
	return all
}

// sample is a valid call of an operation. The tests replace its caller and its objects.
type sample struct {
	// name distinguishes the samples of one operation.
	name string
	// target is the dotted path of the argument that addresses an object. It is empty if there is none.
	target string
	// object is the kind of the addressed object: a key of makers.
	object string
	// args are the other arguments. Functions are called for each call, and own is resolved.
	args map[string]any
	// usesUp means that a successful call leaves no object for the next one.
	usesUp bool
	// unknown is the code for an object that does not exist; NOT_FOUND if empty.
	unknown domain.Code
	// namesSeller means that the target is the seller itself, so the header x-seller-id is not sent.
	namesSeller bool
	// ofOrganization means that the target is an organization.
	ofOrganization bool
	// endsSession means that a successful call ends the caller's session.
	endsSession bool
	// parent is the argument that names the container of the target. misplaced is another container of the same kind.
	parent    string
	misplaced own
	// once means that the same call can't succeed twice. The second call gets new values.
	once bool
	// answers means that a missing object is not an error. The response must then be the same as for another seller's object.
	answers bool
	// varies lists fields of the result that differ between two equal calls.
	varies []string
	// standsFor is the operation whose rule applies, if it is not the sample's own.
	standsFor domain.Operation
}

// rule returns the rule that decides who may make the call.
func (s sample) rule(operation domain.Operation) domain.Rule {
	return domain.RuleOf(cmp.Or(s.standsFor, operation))
}

// maker creates an object of a seller and returns its id. Every text in it contains the seller's mark.
type maker func(h *apitest.Server, t *testing.T, seller demo.Seller, mark string) string

// kept maps kinds of objects to ids of one seller.
type kept map[string]string

// keep creates one object of each kind.
func keep(t *testing.T, h *apitest.Server, seller demo.Seller, mark string) kept {
	t.Helper()
	ids := kept{}
	for kind, maker := range makers {
		ids[kind] = maker(h, t, seller, mark)
	}
	return ids
}

// own is a placeholder for the id of an object of the acting seller, by its kind.
type own string

// fresh returns a function that returns unique values.
func fresh(prefix string) func() any { return func() any { return systemtest.Serial(prefix) } }

// arguments returns the arguments of one call, with unique values and the id of the addressed object.
func (s sample) arguments(theirs kept, id string) map[string]any {
	args, _ := theirs.filledIn(s.args).(map[string]any)
	if s.target == "" {
		return args
	}
	return apitest.With(args, s.target, id)
}

// filledIn replaces functions by their results, and own by ids.
func (k kept) filledIn(value any) any {
	switch value := value.(type) {
	case own:
		return k[string(value)]
	case func() any:
		return value()
	case map[string]any:
		created := make(map[string]any, len(value))
		for name, member := range value {
			created[name] = k.filledIn(member)
		}
		return created
	case []any:
		created := make([]any, len(value))
		for i, element := range value {
			created[i] = k.filledIn(element)
		}
		return created
	}
	return value
}
