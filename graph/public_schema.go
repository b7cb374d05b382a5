package graph

import (
	"maps"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/graph/generated"
)

// publicSchema is the schema as clients see it: without the directives that tell gqlgen which Go type a type is.
func publicSchema() *ast.Schema {
	public := *generated.NewExecutableSchema(generated.Config{}).Schema()
	public.Directives = maps.Clone(public.Directives)
	maps.DeleteFunc(public.Directives, func(name string, _ *ast.DirectiveDefinition) bool { return isOfGo(name) })
	return &public
}

// isOfGo reports whether a directive is for gqlgen alone.
func isOfGo(directive string) bool { return strings.HasPrefix(directive, "go") }
