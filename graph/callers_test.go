package graph

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain"
	"ticketgate/graph/generated"
)

// The description of each root field ends with its callers, in agreement with the table of operations (GRAPH-20).
func TestRootFieldsNameTheirCallers(t *testing.T) {
	t.Parallel()
	schema, rules := generated.NewExecutableSchema(generated.Config{}).Schema(), domain.Operations()
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			want := "Callers: " + callersOf(rules[domain.Operation(field.Name)]) + "."
			if got := strings.Join(strings.Fields(field.Description), " "); !strings.HasSuffix(got, want) {
				t.Errorf("%s.%s: %q does not end with %q", root.Name, field.Name, got, want)
			}
		}
	}
}

// callersOf formats a row of the table of operations for a description.
func callersOf(rule domain.Rule) string {
	if rule.Public {
		return "everyone"
	}
	var who []string
	add := func(may bool, caller string) {
		if may {
			who = append(who, caller)
		}
	}
	add(rule.AnyKey, "API keys")
	add(rule.Permission != "", "API keys with `"+string(rule.Permission)+"`")
	add(rule.AnySession, "users")
	switch organizationRole := rule.OrganizationRole.String() + " at the organization"; {
	case rule.OrganizationRole == domain.NoRole:
		add(rule.Role != domain.NoRole, "users with the role "+rule.Role.String())
	case rule.Role == domain.NoRole:
		add(true, "users with the role "+organizationRole)
	default:
		add(true, "users with the role "+rule.Role.String()+", or "+organizationRole)
	}
	add(rule.OrganizationKey, "organization keys")
	add(rule.Device, "access devices")
	add(rule.Buyer, "buyers with the checkout's secret")
	add(rule.System, "the platform")
	return strings.Join(who, "; ")
}
