package graph

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
	"ticketgate/domain/decode"
)

// everyMisfit names all variables that don't fit their types where gqlparser, which stops at the first, refused one. What one
// misfit is answered is left to gqlparser.
func everyMisfit(
	schema *ast.Schema, operation *graphql.OperationContext, values map[string]any, refusals gqlerror.List,
) gqlerror.List {
	isMisfit := len(refusals) == 1 && len(refusals[0].Path) > 0 && refusals[0].Path[0] == ast.PathName("variable")
	if !isMisfit || operation.Operation == nil {
		return refusals
	}
	found := misfits{schema: schema}
	for _, definition := range operation.Operation.VariableDefinitions {
		value, given := values[definition.Variable]
		found.given(ast.Path{ast.PathName("variables"), ast.PathName(definition.Variable)}, definition.Type, value,
			given, definition.DefaultValue != nil)
	}
	if found.count < 2 {
		return refusals
	}
	refused := gqlerror.Wrap(refusedBefore(found.Err()))
	refused.Path = found.first
	return gqlerror.List{refused}
}

// misfits gathers values that don't fit their types, in gqlparser's words.
type misfits struct {
	domain.Problems
	schema *ast.Schema
	// first is the path of the first, and count how many there are.
	first ast.Path
	count int
}

func (m *misfits) add(path ast.Path, message string) {
	if m.count++; m.count == 1 {
		m.first = slices.Clone(path)
	}
	m.Add(path.String(), message)
}

// given looks at a variable or a field of an input, which may be left out.
func (m *misfits) given(path ast.Path, of *ast.Type, value any, given, hasDefault bool) {
	switch {
	case given:
		m.value(path, of, value)
	case of.NonNull && !hasDefault:
		m.add(path, "must be defined")
	}
}

func (m *misfits) value(path ast.Path, of *ast.Type, value any) {
	if m.Full() {
		return // nothing more would be named
	}
	switch definition := m.schema.Types[of.Name()]; {
	case value == nil:
		if of.NonNull {
			m.add(path, "cannot be null")
		}
	case of.Elem != nil:
		m.list(path, of.Elem, reflect.ValueOf(value))
	case definition.Kind == ast.InputObject:
		m.object(path, definition, value)
	case definition.Kind == ast.Enum:
		m.enum(path, definition, value)
	default:
		m.scalar(path, definition.Name, value)
	}
}

// list takes a single value for a list of one, as GraphQL does. gqlparser may have made a slice of its type.
func (m *misfits) list(path ast.Path, of *ast.Type, values reflect.Value) {
	if values.Kind() != reflect.Slice {
		m.value(inside(path, ast.PathIndex(0)), of, values.Interface())
		return
	}
	for i := range values.Len() {
		m.value(inside(path, ast.PathIndex(i)), of, values.Index(i).Interface())
	}
}

func (m *misfits) object(path ast.Path, definition *ast.Definition, value any) {
	fields, ok := value.(map[string]any)
	if !ok {
		m.add(path, fmt.Sprintf("must be a %s, not a %s", definition.Name, reflect.TypeOf(value).Kind()))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if definition.Fields.ForName(name) == nil && name != "__typename" {
			m.add(inside(path, ast.PathName(name)), "unknown field")
		}
	}
	for _, field := range definition.Fields {
		value, given := fields[field.Name]
		m.given(inside(path, ast.PathName(field.Name)), field.Type, value, given, field.DefaultValue != nil)
	}
}

func (m *misfits) enum(path ast.Path, definition *ast.Definition, value any) {
	switch name, isText := value.(string); {
	case !isText:
		m.add(path, "enums must be ints or strings")
	case definition.EnumValues.ForName(name) == nil:
		m.add(path, fmt.Sprintf("%s is not a valid %s", name, definition.Name))
	}
}

// scalar lets a scalar of our own pass. Text for a number is what gqlparser takes, and checkVariables does not.
func (m *misfits) scalar(path ast.Path, name string, value any) {
	scalar, known := builtIn[name]
	if !known || slices.Contains(scalar.kinds, reflect.TypeOf(value).Kind()) {
		return
	}
	text, isText := value.(string)
	if _, err := strconv.ParseFloat(text, 64); isText && err == nil && (name == "Float" || !strings.ContainsAny(text, ".eE")) {
		m.add(path, scalar.message)
		return
	}
	m.add(path, decode.WrongType)
}

// inside is a path that another one leads to, with memory of its own.
func inside(path ast.Path, step ast.PathElement) ast.Path { return append(slices.Clip(path), step) }
