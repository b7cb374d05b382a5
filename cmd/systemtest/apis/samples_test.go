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

// The tests that walk the table of operations (both doors give the same, tenants are apart, lists are paged) find here
// how each operation is called. An operation without a row fails TestEveryOperationIsTriedThroughItsDoors.
//
// An area stands in a file of its own, samples_<area>_test.go, and adds its line to areas below:
//
//	var stallArea = area{
//		samples: map[domain.Operation][]sample{
//			domain.CreateStall: {{args: object{"input": object{"name": fresh("Stall "), "eventId": own("event")}}}},
//			domain.GetStall:    {{target: "id", object: "stall"}},
//			domain.ListStalls:  {{}},
//		},
//		makers: map[string]maker{"stall": (*house).stall},
//		lists:  map[domain.Operation]pagedList{domain.ListStalls: {row: (*house).stall}},
//	}
//
// and a method that makes one: func (h *house) stall(t *testing.T, seller seededSeller, mark string) string. Arguments
// are those of the GraphQL field; requestOf finds by their names what goes into REST's path, query and body.
type area struct {
	samples map[domain.Operation][]sample
	makers  map[string]maker
	// lists are the lists that are paged, through whatever doors they have.
	lists map[domain.Operation]pagedList
	// refusals are inputs that both doors refuse.
	refusals map[domain.Operation][]refusal
}

// areas are all of them.
var areas = []area{
	tenantArea, webhookArea, accessArea, catalogArea, ticketArea, gateArea, checkoutArea, invoiceArea,
	purchaseIntentArea,
}

// What the areas bring, joined.
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

// sample is how an operation is called rightly. The tests that walk the table put other callers and other objects into
// it.
type sample struct {
	// name tells the samples of one operation apart.
	name string
	// target is the argument, by its dotted path, that addresses an object; empty when none is addressed.
	target string
	// object is the kind of object that the target names: one of makers.
	object string
	// args are the other arguments. A function in place of a value is called for each call, and own is resolved.
	args map[string]any
	// usesUp tells that a successful call leaves no object for the next one.
	usesUp bool
	// unknown is the code for an object that is not there; NOT_FOUND unless it says otherwise.
	unknown domain.Code
	// namesSeller tells that the target is the seller itself, so that the header x-seller-id stays away.
	namesSeller bool
	// ofOrganization tells that the target is an organization.
	ofOrganization bool
	// endsSession tells that a successful call ends the caller's own session.
	endsSession bool
	// parent is the argument that names what the target lies in, misplaced another object of the seller of that kind.
	parent    string
	misplaced own
	// anew tells that the same call can't succeed twice: the second gets new values.
	anew bool
	// answers tells that an object that is not there is no error: the answer then says nothing that another's would not.
	answers bool
	// varies lists members of the result that differ between two calls of the same.
	varies []string
	// standsFor is the operation whose rule decides, if it is not the sample's own.
	standsFor domain.Operation
}

// rule is what decides who may call the operation with the sample.
func (s sample) rule(operation domain.Operation) domain.Rule {
	return domain.RuleOf(cmp.Or(s.standsFor, operation))
}

// maker makes an object of a seller and returns its id; every text in it holds the seller's mark.
type maker func(h *apitest.Server, t *testing.T, seller demo.Seller, mark string) string

// kept are objects of one seller, an id for each kind.
type kept map[string]string

// keep makes one object of each kind.
func keep(t *testing.T, h *apitest.Server, seller demo.Seller, mark string) kept {
	t.Helper()
	ids := kept{}
	for kind, maker := range makers {
		ids[kind] = maker(h, t, seller, mark)
	}
	return ids
}

// own stands in arguments for the id of an object, by its kind, of the seller that the caller acts on.
type own string

// fresh is a value that no call has used before.
func fresh(prefix string) func() any { return func() any { return systemtest.Serial(prefix) } }

// arguments are those of one call: values that are made for each call, and the object that is addressed.
func (s sample) arguments(theirs kept, id string) map[string]any {
	args, _ := theirs.filledIn(s.args).(map[string]any)
	if s.target == "" {
		return args
	}
	return apitest.With(args, s.target, id)
}

// filledIn replaces functions by what they return, and own by ids.
func (k kept) filledIn(value any) any {
	switch value := value.(type) {
	case own:
		return k[string(value)]
	case func() any:
		return value()
	case map[string]any:
		made := make(map[string]any, len(value))
		for name, member := range value {
			made[name] = k.filledIn(member)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for i, element := range value {
			made[i] = k.filledIn(element)
		}
		return made
	}
	return value
}
