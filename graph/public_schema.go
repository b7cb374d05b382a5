package graph

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"ticketgate/domain"
	"ticketgate/graph/generated"
)

// SchemaPath is the path that serves the schema as text.
const SchemaPath = "/graphql/schema.graphql"

// publicSchema returns the schema as clients see it, without the directives that map types to Go.
func publicSchema() *ast.Schema {
	public := *generated.NewExecutableSchema(generated.Config{}).Schema()
	public.Directives = maps.Clone(public.Directives)
	maps.DeleteFunc(public.Directives, func(name string, _ *ast.DirectiveDefinition) bool { return isOfGo(name) })
	return &public
}

// isOfGo reports whether a directive is for gqlgen only.
func isOfGo(directive string) bool { return strings.HasPrefix(directive, "go") }

// withoutGo returns a definition without the directives for gqlgen.
func withoutGo(definition *ast.Definition) *ast.Definition {
	public := *definition
	public.Directives = keptDirectives(definition.Directives)
	public.Fields = slices.Clone(definition.Fields)
	for i, field := range public.Fields {
		shown := *field
		shown.Directives = keptDirectives(field.Directives)
		public.Fields[i] = &shown
	}
	return &public
}

func keptDirectives(all ast.DirectiveList) ast.DirectiveList {
	return slices.DeleteFunc(slices.Clone(all), func(directive *ast.Directive) bool { return isOfGo(directive.Name) })
}

// schemaText is the schema in the schema definition language.
var schemaText = sync.OnceValue(func() []byte {
	shown := publicSchema()
	shown.Types = maps.Clone(shown.Types)
	for name, definition := range shown.Types {
		shown.Types[name] = withoutGo(definition)
	}
	var text bytes.Buffer
	formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatSchema(shown)
	return text.Bytes()
})

// serveSchema serves the schema as text to callers who may see it: sessions and the platform.
func (h *Handler) serveSchema(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", http.MethodGet)
		h.endpoint.Refuse(w, r, domain.NewError(domain.CodeMethodNotAllowed, "Use GET to read the schema"))
	case domain.ActorOf(r.Context()).Kind == domain.Nobody:
		h.endpoint.Refuse(w, r, domain.Unauthenticated("Authentication required: only signed-in users can read the schema"))
	case !mayLearnSchema(r.Context()):
		h.endpoint.Refuse(w, r, domain.Forbidden(forSignedIn))
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(schemaText())
	}
}
