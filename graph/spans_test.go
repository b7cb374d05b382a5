package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/graph/generated"
)

// spansOf maps filters to the types that they select, where the names differ.
var spansOf = map[string]string{"AuditLog": "AuditEntry"}

// notSpans are times in filters that do not bound a field of the record.
var notSpans = []string{
	"AccessUserFilter.unusedSince", "ApiKeyFilter.unusedSince", "AccessUserTicketFilter.from", "AccessUserTicketFilter.until",
}

// A time span in a filter is named after the field that it bounds (GRAPH-12).
func TestSpansOfTimeAreNamedAfterTheirField(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	spans := 0
	for name, filter := range schema.Types {
		of, is := strings.CutSuffix(name, "Filter")
		if !is || filter.Kind != ast.InputObject {
			continue
		}
		if other, has := spansOf[of]; has {
			of = other
		}
		for _, field := range filter.Fields {
			if field.Type.Name() != "DateTime" || field.Directives.ForName("deprecated") != nil ||
				slices.Contains(notSpans, name+"."+field.Name) {
				continue
			}
			spans++
			if !boundsAField(schema.Types[of], filter, field.Name) {
				t.Errorf("%s.%s is not the name of a field of %s with From or Until, or has no counterpart", name, field.Name, of)
			}
		}
	}
	if spans < 28 {
		t.Errorf("only %d bounds", spans)
	}
}

func boundsAField(of, filter *ast.Definition, name string) bool {
	bounded, from := strings.CutSuffix(name, "From")
	other := bounded + "Until"
	if !from {
		var until bool
		if bounded, until = strings.CutSuffix(name, "Until"); !until {
			return false
		}
		other = bounded + "From"
	}
	return filter.Fields.ForName(other) != nil && of != nil &&
		(of.Fields.ForName(bounded) != nil || of.Fields.ForName(bounded+"At") != nil)
}
