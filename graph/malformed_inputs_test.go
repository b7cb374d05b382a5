package graph_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain"
	"ticketgate/graph"
	"ticketgate/graph/generated"
)

// One error names every malformed value of an input by its path, in variables and in the document (BODY-3). The path of
// the error leads to the first value. An argument that is a list of inputs counts as one input.
func TestEveryMalformedInputValueIsReported(t *testing.T) {
	s, schema := serveInputs(t)
	m := malformer{schema: schema, tried: map[string]bool{}}
	for asked := range inputsOf(schema) {
		value, paths := m.value(asked.argument.Type, "")
		if len(paths) == 0 {
			continue
		}
		for document, answered := range map[string]answer{
			"in variables":    asked.inVariables(t, s, m, value),
			"in the document": s.ask(t, asked.inDocument(m, value)),
		} {
			checkMalformed(t, asked.field.Name+" "+document, answered, asked.field.Name, asked.argument.Name, paths)
		}
	}
	for name, definition := range schema.Types {
		if definition.Kind == ast.InputObject && !m.tried[name] && slices.ContainsFunc(definition.Fields, m.canBeMalformed) {
			t.Errorf("%s was not tried", name)
		}
	}
	if len(m.tried) < 25 {
		t.Errorf("only %d inputs were tried", len(m.tried))
	}
}

// One error names every variable, and every value inside a variable, that does not fit its type (BODY-3).
func TestEveryTypeMismatchIsReported(t *testing.T) {
	s, schema := serveInputs(t)
	m := malformer{schema: schema, misfits: true, tried: map[string]bool{}}
	tried := 0
	for asked := range inputsOf(schema) {
		value, paths := m.value(asked.argument.Type, "variables."+asked.argument.Name)
		if len(paths) < 2 {
			continue
		}
		tried++
		got := asked.inVariables(t, s, m, value)
		if len(got.Errors) != 1 || got.code() != string(domain.CodeInvalidRequest) {
			t.Errorf("%s: %.400s", asked.field.Name, got.text)
			continue
		}
		var told []string
		for _, detail := range got.Errors[0].Extensions.Details {
			told = append(told, detail.Path)
			if strings.Contains(detail.Message, "fit its type") {
				t.Errorf("%s: %s %s, want what its type takes", asked.field.Name, detail.Path, detail.Message)
			}
		}
		if first := dotted(told[0]); strings.Join(textsOf(got.Errors[0].Path), ".") != first {
			t.Errorf("%s: the error is at %v, and its first detail at %s", asked.field.Name, got.Errors[0].Path, first)
		}
		slices.Sort(told)
		slices.Sort(paths)
		if !slices.Equal(told, paths) {
			t.Errorf("%s: reported %v, want %v", asked.field.Name, told, paths)
		}
	}
	if tried < 60 {
		t.Errorf("only %d inputs were tried", tried)
	}
}

// serveInputs serves the schema without resolvers, since none is reached.
func serveInputs(t *testing.T) (*server, *ast.Schema) {
	t.Helper()
	executable := generated.NewExecutableSchema(generated.Config{Resolvers: &graph.Resolver{}})
	s := &server{endpoint: graph.NewEndpoint(executable, graph.Options{Log: slog.New(slog.DiscardHandler)})}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.endpoint.ServeHTTP(w, r.WithContext(domain.WithActor(r.Context(), &domain.Actor{Kind: domain.UserActor})))
	}))
	t.Cleanup(s.Close)
	return s, executable.Schema()
}

// input is an argument of a root field that is an input or a list of inputs.
type input struct {
	kind     string
	field    *ast.FieldDefinition
	argument *ast.ArgumentDefinition
}

func inputsOf(schema *ast.Schema) iter.Seq[input] {
	return func(yield func(input) bool) {
		for kind, root := range map[string]*ast.Definition{"query": schema.Query, "mutation": schema.Mutation} {
			for _, field := range root.Fields {
				for _, argument := range field.Arguments {
					if schema.Types[argument.Type.Name()].Kind == ast.InputObject && !yield(input{kind, field, argument}) {
						return
					}
				}
			}
		}
	}
}

// arguments returns values for the input and for the other required arguments.
func (i input) arguments(value any) map[string]any {
	given := map[string]any{i.argument.Name: value}
	for _, other := range i.field.Arguments {
		if other.Name != i.argument.Name && other.Type.NonNull && other.DefaultValue == nil {
			given[other.Name] = validValues[other.Type.Name()]
		}
	}
	return given
}

func (i input) selection(m malformer) string {
	if m.schema.Types[i.field.Type.Name()].IsCompositeType() {
		return " { __typename }"
	}
	return ""
}

func (i input) inVariables(t *testing.T, s *server, m malformer, value any) answer {
	t.Helper()
	declared, given, variables := "", "", i.arguments(value)
	for name := range variables {
		declared += fmt.Sprintf("$%s: %s ", name, i.field.Arguments.ForName(name).Type)
		given += fmt.Sprintf("%s: $%s ", name, name)
	}
	text, err := json.Marshal(variables)
	if err != nil {
		t.Fatal(err)
	}
	return s.ask(t, fmt.Sprintf("%s(%s) { %s(%s)%s }", i.kind, declared, i.field.Name, given, i.selection(m)), string(text))
}

func (i input) inDocument(m malformer, value any) string {
	literal := literalOf(i.arguments(value))
	return fmt.Sprintf("%s { %s(%s)%s }", i.kind, i.field.Name, literal[1:len(literal)-1], i.selection(m))
}

// dotted returns a path in the notation of errors, with dots between all steps.
func dotted(path string) string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.ReplaceAll(path, "[", "."), "]", ""), ".")
}

func textsOf(path []any) (texts []string) {
	for _, step := range path {
		texts = append(texts, fmt.Sprint(step))
	}
	return texts
}

// bodies are the arguments that correspond to the body in REST: paths start inside them.
var bodies = []string{"input", "scans"}

func checkMalformed(t *testing.T, name string, got answer, field, argument string, paths []string) {
	t.Helper()
	if len(got.Errors) != 1 || got.Errors[0].Extensions.Code == string(domain.CodeInternal) {
		t.Errorf("%s: %.400s", name, got.text)
		return
	}
	prefix := ""
	if !slices.Contains(bodies, argument) {
		prefix = argument + "."
	}
	var told, want []string
	for _, detail := range got.Errors[0].Extensions.Details {
		told = append(told, detail.Path)
	}
	for _, path := range paths {
		want = append(want, prefix+path)
	}
	first := dotted(told[0])
	if prefix == "" {
		first = argument + "." + first
	}
	if shown := strings.Join(textsOf(got.Errors[0].Path), "."); shown != field+"."+first {
		t.Errorf("%s: the error is at %s, and its first detail at %s", name, shown, first)
	}
	slices.Sort(told)
	slices.Sort(want)
	if !slices.Equal(told, want) {
		t.Errorf("%s: reported %v, want %v", name, told, want)
	}
}

// malformer creates values for inputs in which everything is malformed that only a custom scalar can refuse. With
// misfits set, it creates everything that GraphQL's own types refuse, including a field that no input has.
type malformer struct {
	schema  *ast.Schema
	misfits bool
	tried   map[string]bool
}

func (m malformer) canBeMalformed(field *ast.FieldDefinition) bool {
	of := m.schema.Types[field.Type.Name()]
	return of.Kind == ast.Scalar && !of.BuiltIn && of.Name != "JSON" // it accepts any value
}

// value returns a value for a type, and the paths of everything that is malformed in it.
func (m malformer) value(of *ast.Type, path string) (value any, paths []string) {
	if of.Elem != nil {
		list := []any{}
		for i := range 2 {
			element, inside := m.value(of.Elem, domain.IndexPath(path, i))
			list, paths = append(list, element), append(paths, inside...)
		}
		return list, paths
	}
	switch definition := m.schema.Types[of.NamedType]; {
	case definition.Kind == ast.InputObject:
		return m.object(definition, path)
	case m.misfits && (definition.Kind == ast.Enum || definition.BuiltIn):
		return map[string]any{}, []string{path}
	case definition.Kind == ast.Enum:
		return enumValue(definition.EnumValues[0].Name), nil
	default:
		if valid, known := validValues[definition.Name]; known {
			return valid, nil
		}
		if m.misfits {
			return "x", nil // checked later
		}
		return true, []string{path}
	}
}

// object returns an object with the malformed and the required fields.
func (m malformer) object(definition *ast.Definition, path string) (value any, paths []string) {
	object := map[string]any{}
	if m.misfits {
		object["nme"] = 1
		paths = append(paths, domain.JoinPath(path, "nme"))
	}
	for _, field := range definition.Fields {
		inner, inside := m.value(field.Type, domain.JoinPath(path, field.Name))
		if m.canBeMalformed(field) {
			m.tried[definition.Name] = true
		}
		if field.Type.NonNull || len(inside) > 0 {
			object[field.Name], paths = inner, append(paths, inside...)
		}
	}
	return object, paths
}

// validValues holds valid values of the built-in scalars, and of JSON, which accepts any value.
var validValues = map[string]any{"ID": "x", "String": "x", "Int": 1, "Float": 1.5, "Boolean": true, "JSON": map[string]any{}}

type enumValue string

// literalOf returns a value as a GraphQL literal.
func literalOf(value any) string {
	switch value := value.(type) {
	case enumValue:
		return string(value)
	case string:
		return strconv.Quote(value)
	case []any:
		var elements []string
		for _, element := range value {
			elements = append(elements, literalOf(element))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case map[string]any:
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(value)) {
			fields = append(fields, name+": "+literalOf(value[name]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return fmt.Sprint(value)
}

// An invalid literal has the same path as a malformed value in its place: within a body, or starting at the argument's
// name.
func TestLiteralErrorHasPathOfValue(t *testing.T) {
	s, _ := serveInputs(t)
	for document, want := range map[string]string{
		`mutation { createAccessList(input: {name: "\u0000"}) { _id } }`:                  "name",
		`mutation { uploadScans(eventId: "a", scans: [{barcode: "\u0000"}]) { status } }`: "[0].barcode",
		`mutation { uploadScans(eventId: "a", scans: {barcode: "\u0000"}) { status } }`:   "barcode",
		`{ events(filter: {name: "\u0000"}) { totalCount } }`:                             "filter.name",
		`{ event(id: "\u0000") { _id } }`:                                                 "id",
	} {
		got := s.ask(t, document)
		var told []string
		for _, refused := range got.Errors {
			for _, detail := range refused.Extensions.Details {
				told = append(told, detail.Path)
			}
		}
		if !slices.Contains(told, want) {
			t.Errorf("%s: reported %v, want %s: %s", document, told, want, got.text)
		}
	}
}
