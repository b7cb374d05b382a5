package graph

import (
	"maps"
	"reflect"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
	"ticketgate/domain/document"
)

// everyMisfit returns an error for every variable that doesn't fit its type, after gqlparser refused one. gqlparser
// stops at the first and uses names of Go types.
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
	if found.count == 0 {
		return refusals
	}
	refused := gqlerror.Wrap(refusedBefore(found.Err()))
	refused.Path = found.first
	return gqlerror.List{refused}
}

// misfits collects values that don't fit their types.
type misfits struct {
	domain.FieldErrors
	schema *ast.Schema
	// first is the path of the first misfit, count the number of misfits.
	first ast.Path
	count int
}

func (m *misfits) add(path ast.Path, message string) {
	if m.count++; m.count == 1 {
		m.first = slices.Clone(path)
	}
	m.Add(path.String(), message)
}

// given checks a variable or a field of an input, which may be omitted.
func (m *misfits) given(path ast.Path, of *ast.Type, value any, given, hasDefault bool) {
	switch {
	case given:
		m.value(path, of, value)
	case of.NonNull && !hasDefault:
		m.add(path, "is required")
	}
}

func (m *misfits) value(path ast.Path, of *ast.Type, value any) {
	if m.Full() {
		return // the maximum number of errors is reached
	}
	switch definition := m.schema.Types[of.Name()]; {
	case value == nil:
		if of.NonNull {
			m.add(path, "must not be null")
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

// list accepts a single value for a list of one, as GraphQL does. gqlparser may have wrapped it in a slice of its type.
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
		m.add(path, "must be an object")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if definition.Fields.ForName(name) == nil && name != "__typename" {
			m.add(inside(path, ast.PathName(name)), domain.UnknownField)
		}
	}
	for _, field := range definition.Fields {
		value, given := fields[field.Name]
		m.given(inside(path, ast.PathName(field.Name)), field.Type, value, given, field.DefaultValue != nil)
	}
}

func (m *misfits) enum(path ast.Path, definition *ast.Definition, value any) {
	if name, isText := value.(string); !isText || definition.EnumValues.ForName(name) == nil {
		m.add(path, noneOf(definition))
	}
}

// noneOf returns the error for a value that an enumeration doesn't have.
func noneOf(enumeration *ast.Definition) string {
	names := make([]string, len(enumeration.EnumValues))
	for i, value := range enumeration.EnumValues {
		names[i] = value.Name
	}
	return document.NoneOf(names).Error()
}

// scalar accepts any value for a custom scalar.
func (m *misfits) scalar(path ast.Path, name string, value any) {
	if scalar, known := builtIn[name]; known && !slices.Contains(scalar.kinds, reflect.TypeOf(value).Kind()) {
		m.add(path, scalar.message)
	}
}

// inside returns the path extended by a step, in memory of its own.
func inside(path ast.Path, step ast.PathElement) ast.Path { return append(slices.Clip(path), step) }
