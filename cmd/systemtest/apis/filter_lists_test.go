package apis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// GRAPH-10: a filter by an enumeration of more than two values has a list form of at most 100 values. An empty list is no
// condition.
func TestFiltersTakeLists(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	who, lists := apitest.Bearer(systemtest.SystemToken).On(g.Seller.SellerID), 0
	for _, field := range g.Schema.Query.Fields {
		filter := field.Arguments.ForName("filter")
		if filter == nil || filter.Type.NonNull {
			continue
		}
		members := g.Schema.Types[filter.Type.Name()].Fields
		for _, member := range members {
			of := g.Schema.Types[member.Type.Name()]
			if member.Type.Elem == nil {
				if of.Kind == ast.Enum && len(of.EnumValues) > 2 && members.ForName(member.Name+"In") == nil {
					t.Errorf("%s.%s has no list", filter.Type.Name(), member.Name)
				}
				continue
			}
			lists++
			for count, refused := range map[int]bool{0: false, 100: false, 101: true} {
				variables := object{"f": object{member.Name: slices.Repeat([]string{valueOf(of)}, count)}}
				o := g.Execute(t, who, fmt.Sprintf("query($f: %s) { %s(filter: $f) { nodes { __typename } } }",
					filter.Type.Name(), field.Name), variables)
				right := o.Refusal.Code == ""
				if refused {
					right = o.Refusal.Code == string(domain.CodeValidationFailed) && len(o.Refusal.Details) == 1 &&
						o.Refusal.Details[0].Path == "filter."+member.Name
				}
				if !right || !strings.HasSuffix(member.Name, "In") {
					t.Errorf("%d of %s.%s: %v", count, filter.Type.Name(), member.Name, o)
				}
			}
		}
	}
	if lists < 20 {
		t.Errorf("only %d lists", lists)
	}
}

// valueOf returns a value of a type that has list filters.
func valueOf(of *ast.Definition) string {
	if of.Kind == ast.Enum {
		return of.EnumValues[0].Name
	}
	return "ticket.created"
}
