package graph

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain"
)

// The cost of introspection. It is answered from memory, so its objects are not counted one by one. A document can list
// the schema once, and once more nested in that, before it costs more than any real query.
const (
	schemaCost       = 5_000
	typeCost         = 500
	relistedTypeCost = 10_000
)

// heavierObjects is the additional cost of an object, by type: its data is larger than a row, or computed from many
// rows.
var heavierObjects = map[string]int64{
	"AccessListSize":    10,  // counts up to 10,000 entries
	"ApiKeyUsage":       10,  // the calls of 30 days
	"Attempt":           10,  // up to 16 KiB of the response
	"Occupancy":         20,  // all tickets that came to the event
	"PeriodFigures":     10,  // up to 2,016 rows
	"WebhookStatistics": 100, // up to 2,016 rows for each type and outcome
}

// heavierFields is the additional cost of a field, by the type that has it.
var heavierFields = map[string]map[string]int64{
	"AccessUser":     {"scanCount": 10}, // scans are counted
	"Delivery":       {"payload": 20},   // the whole body
	"DeliveryDetail": {"payload": 20},
	"TicketType":     {"checkedIn": 10, "inside": 10, "sold": 5}, // all tickets of the type
}

// countCost is the cost of a connection's totalCount. All matching records are counted, however few are returned.
const countCost = 10

// saturated is the value at which sums stop growing. The product of two such numbers still fits 64 bits, so no document
// can cause an overflow.
const saturated = 1 << 31

// weight is the demand of a part of a document. Selections inside a connection are weighed before the size of its page
// is known. They are therefore kept "per row", and the enclosing field with `first` multiplies them.
type weight struct {
	cost, costPerRow       int64
	objects, objectsPerRow int64
	aliases                int64
	depth                  int64
	introspects            bool
}

// plus adds the weight of a sibling.
func (w weight) plus(other weight) weight {
	return weight{
		cost: sum(w.cost, other.cost), costPerRow: sum(w.costPerRow, other.costPerRow),
		objects: sum(w.objects, other.objects), objectsPerRow: sum(w.objectsPerRow, other.objectsPerRow),
		aliases:     sum(w.aliases, other.aliases),
		depth:       max(w.depth, other.depth),
		introspects: w.introspects || other.introspects,
	}
}

// rows multiplies the part per row by a page of n rows.
func (w weight) rows(n int64) weight {
	w.cost, w.costPerRow = sum(w.cost, times(n, w.costPerRow)), 0
	w.objects, w.objectsPerRow = sum(w.objects, times(n, w.objectsPerRow)), 0
	return w
}

// each turns the whole weight into a part per row.
func (w weight) each() weight {
	w = w.rows(1)
	w.cost, w.costPerRow = 0, w.cost
	w.objects, w.objectsPerRow = 0, w.objects
	return w
}

// sum and times stop at saturated. Values far beyond every limit need not be exact.
func sum(a, b int64) int64 { return min(a+b, saturated) }

func times(a, b int64) int64 { return min(a*b, saturated) }

// scale weighs one operation. Each fragment is weighed once, however often it is spread. Fragments that spread each
// other twice would otherwise take exponential time.
type scale struct {
	variables map[string]any
	fragments map[*ast.FragmentDefinition]weight
}

// costOf returns the demand of the operation. It must run after validation, when fields know their definitions and
// fragments have no cycles.
func costOf(operation *graphql.OperationContext) weight {
	s := scale{variables: operation.Variables}
	return s.selections(operation.Operation.SelectionSet).rows(1)
}

// selections weighs one selection set. A field that is selected twice counts twice, although it is resolved once:
// finding duplicates is the very work that the limits must bound.
func (s *scale) selections(set ast.SelectionSet) weight {
	var total weight
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			total = total.plus(s.field(selection))
		case *ast.InlineFragment:
			total = total.plus(s.selections(selection.SelectionSet))
		case *ast.FragmentSpread:
			total = total.plus(s.fragment(selection.Definition))
		}
	}
	return total
}

// fragment weighs a fragment at its first spread and caches the result.
func (s *scale) fragment(fragment *ast.FragmentDefinition) weight {
	// Validation refuses undefined fragments. This only prevents a nil dereference.
	if fragment == nil {
		return weight{}
	}
	known, weighed := s.fragments[fragment]
	if !weighed {
		known = s.selections(fragment.SelectionSet)
		if s.fragments == nil {
			s.fragments = map[*ast.FragmentDefinition]weight{}
		}
		s.fragments[fragment] = known
	}
	return known
}

// field weighs a field including its selections.
func (s *scale) field(field *ast.Field) weight {
	below := s.selections(field.SelectionSet)
	var total weight
	switch {
	case field.Definition == nil || len(field.SelectionSet) == 0:
		// A leaf is read with its object.
		total.depth, total.cost = 1, heavierField(field)
	case isIntrospection(field):
		total = introspection(field, below)
	default:
		total = s.object(field, below)
		total.depth = below.depth + 1
	}
	total.aliases = below.aliases
	if field.Alias != field.Name {
		total.aliases = sum(total.aliases, 1)
	}
	return total
}

// object weighs a field that returns one or more objects: an object costs 1, a list `first` times the cost of its child.
func (s *scale) object(field *ast.Field, below weight) weight {
	item := weight{cost: 1 + heavierField(field) + heavierObjects[field.Definition.Type.Name()]}
	if !isFrame(field) {
		item.objects = 1
	}
	isList := field.Definition.Type.Elem != nil
	switch paged := field.Definition.Arguments.ForName("first"); {
	case paged != nil && isList:
		return below.plus(item).each().rows(s.pageSize(field, paged))
	case paged != nil:
		return below.rows(s.pageSize(field, paged)).plus(item)
	case isList && (field.Name == "nodes" || field.Name == "edges"):
		return below.plus(item).each()
	case isList && below.objects > 0:
		return below.plus(item).each().rows(s.plainSize(field))
	}
	return below.rows(1).plus(item)
}

// plainLists is the assumed length of lists without pages whose objects have edges. Other lists are read with their
// object.
var plainLists = map[string]int64{
	"AccessCodeTest.differInCase": 20,
	"AccessCodeTest.entries":      20,
	"Me.memberships":              domain.DefaultPageSize,
}

// maxRetriggered is the maximum number of deliveries that one call retries.
const maxRetriggered = 1000

// plainSize returns the assumed length of a list without pages whose objects need reads of their own.
func (s *scale) plainSize(field *ast.Field) int64 {
	if field.ObjectDefinition == nil {
		return 1
	}
	name := field.ObjectDefinition.Name + "." + field.Name
	if name != "Mutation.retriggerDeliveries" {
		return max(1, plainLists[name])
	}
	input, _ := field.ArgumentMap(s.variables)["input"].(map[string]any)
	if ids, given := input["ids"].([]any); given {
		return int64(len(ids))
	}
	return maxRetriggered
}

// heavierField returns the cost of a field beyond its objects.
func heavierField(field *ast.Field) int64 {
	switch {
	case field.ObjectDefinition == nil:
		return 0
	case field.Name == "totalCount" && strings.HasSuffix(field.ObjectDefinition.Name, "Connection"):
		return countCost
	}
	return heavierFields[field.ObjectDefinition.Name][field.Name]
}

// isFrame reports whether the field's objects only structure a page. They cost, but they are not records.
func isFrame(field *ast.Field) bool {
	name := field.Definition.Type.Name()
	return name == "PageInfo" || strings.HasSuffix(name, "Connection") || strings.HasSuffix(name, "Edge")
}

// pageSize returns the value of `first`, or the default that the resolver applies if it is omitted. An explicit null is
// not an omission: the resolver receives it instead of the schema's default.
func (s *scale) pageSize(field *ast.Field, defined *ast.ArgumentDefinition) int64 {
	written := given(field, defined.Name)
	if written == nil || s.isLeftOut(written) {
		written = defined.DefaultValue
	}
	value, err := written.Value(s.variables)
	if size, known := value.(int64); err == nil && known { // validation let only Ints and nulls through
		// The resolver refuses a negative or too large page, naming `first` and its bounds.
		return min(max(size, 0), domain.MaxPageSize)
	}
	return domain.DefaultPageSize
}

// isLeftOut reports whether the value is a variable without a value, so that its argument is omitted. Defaults of
// variables have been applied already.
func (s *scale) isLeftOut(written *ast.Value) bool {
	_, has := s.variables[written.Raw]
	return written.Kind == ast.Variable && !has
}

// given returns the value that a field passes for an argument, or nil.
func given(field *ast.Field, name string) *ast.Value {
	if argument := field.Arguments.ForName(name); argument != nil {
		return argument.Value
	}
	return nil
}

// isIntrospection reports whether the field is one of the two entry points of introspection, or a field below them.
func isIntrospection(field *ast.Field) bool {
	return field.Name == "__schema" || field.Name == "__type" ||
		(field.ObjectDefinition != nil && strings.HasPrefix(field.ObjectDefinition.Name, "__"))
}

// introspection weighs the schema's own fields. They are exempt from the depth limit, because GraphiQL's query has 15
// levels. A list of a type's parts inside another such list multiplies like a page, and therefore has a cost of its own.
func introspection(field *ast.Field, below weight) weight {
	total := weight{introspects: true, cost: below.cost, costPerRow: below.costPerRow}
	switch field.Name {
	case "__schema":
		total.cost, total.costPerRow, total.depth = sum(below.cost, schemaCost), 0, 1
	case "__type":
		total.cost, total.costPerRow, total.depth = sum(below.cost, typeCost), 0, 1
	case "fields", "inputFields", "interfaces", "possibleTypes":
		total.cost, total.costPerRow = sum(below.cost, times(relistedTypeCost, below.costPerRow)), 1
	}
	return total
}
