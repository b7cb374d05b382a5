package graph

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// variablesOf converts an object to variables for gqlgen. Values of type JSON stay as they were read: they are already
// checked, and plain Go values would take ten times as much memory.
func variablesOf(object ecmajson.Value, schema *ast.Schema, definitions ast.VariableDefinitionList) map[string]any {
	variables := make(map[string]any, len(object.Fields()))
	for _, field := range object.Fields() {
		var of *ast.Type
		if definition := definitions.ForName(field.Name); definition != nil {
			of = definition.Type
		}
		variables[field.Name] = variable(field.Value, schema, of)
	}
	return variables
}

// variable converts a value to plain Go values, because gqlparser distinguishes types by their Go kind. of is nil if the
// type is unknown.
func variable(value ecmajson.Value, schema *ast.Schema, of *ast.Type) any {
	if value.Kind() != ecmajson.Null && of != nil && of.Elem == nil && of.NamedType == jsonScalar {
		value.SortFields()
		return value
	}
	switch value.Kind() {
	case ecmajson.Bool:
		return value.Bool()
	case ecmajson.Number:
		return numberOf(value.Number())
	case ecmajson.String:
		return value.Text()
	case ecmajson.Object:
		return inputOf(value, schema, of)
	case ecmajson.Array:
		return listOf(value, schema, of)
	case ecmajson.Null:
	}
	return nil
}

// jsonScalar is the name of the scalar for any JSON value.
const jsonScalar = "JSON"

func listOf(array ecmajson.Value, schema *ast.Schema, of *ast.Type) []any {
	if of != nil {
		of = of.Elem
	}
	elements := make([]any, len(array.Elements()))
	for i, element := range array.Elements() {
		elements[i] = variable(element, schema, of)
	}
	return elements
}

// inputOf converts an input object, or a list of one.
func inputOf(object ecmajson.Value, schema *ast.Schema, of *ast.Type) any {
	if of != nil && of.Elem != nil && of.Elem.NamedType == jsonScalar {
		return []any{variable(object, schema, of.Elem)}
	}
	var fields ast.FieldList
	if of != nil {
		if definition := schema.Types[of.Name()]; definition != nil && definition.Kind == ast.InputObject {
			fields = definition.Fields
		}
	}
	members := make(map[string]any, len(object.Fields()))
	for _, member := range object.Fields() {
		var inner *ast.Type
		if field := fields.ForName(member.Name); field != nil {
			inner = field.Type
		}
		members[member.Name] = variable(member.Value, schema, inner)
	}
	return members
}

// numberOf converts a number as if it were a literal of the document: integers to int64, others to a double, which
// ecmajson has found to be exact. gqlparser treats a json.Number as a string and would accept it as a String.
func numberOf(text string) any {
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return whole
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	return number
}

// applyDefaults replaces null by the variable's default. The null could otherwise reach a non-null position, because
// validation accepts variables with a default there, and gqlgen panics on it.
func applyDefaults(operation *graphql.OperationContext) error {
	for _, definition := range operation.Operation.VariableDefinitions {
		if value, given := operation.Variables[definition.Variable]; !given || value != nil {
			continue
		}
		standIn, err := definition.DefaultValue.Value(nil)
		if err != nil {
			return err
		}
		operation.Variables[definition.Variable] = standIn
	}
	return nil
}

// checkVariables refuses values that gqlparser accepts but literals can't have: text for numbers, enum values in another
// case, and integers that no Int holds.
func checkVariables(schema *ast.Schema, operation *ast.OperationDefinition, values map[string]any) error {
	check := variableCheck{schema: schema}
	for _, definition := range operation.VariableDefinitions {
		if value, given := values[definition.Variable]; given {
			check.value(domain.JoinPath("variables", definition.Variable), definition.Type, value)
		}
	}
	return refusedBefore(check.Err())
}

// variableCheck collects invalid values. gqlparser has already checked nulls, missing fields and unknown fields.
type variableCheck struct {
	domain.FieldErrors
	schema *ast.Schema
}

// value descends into the parts of a value. A null that gets here is allowed by its type.
func (c *variableCheck) value(path string, of *ast.Type, value any) {
	switch definition := c.schema.Types[of.Name()]; {
	case value == nil || definition == nil:
	case of.Elem != nil:
		c.list(path, of.Elem, reflect.ValueOf(value))
	case definition.Kind == ast.InputObject:
		c.object(path, definition, value)
	case definition.Kind == ast.Enum:
		name, isText := value.(string)
		if !isText || definition.EnumValues.ForName(name) == nil {
			c.Add(path, noneOf(definition))
		}
	default:
		c.scalar(path, definition.Name, value)
	}
}

// list accepts elements of any Go type, because gqlparser wraps a single value in a slice of its type.
func (c *variableCheck) list(path string, of *ast.Type, values reflect.Value) {
	if values.Kind() != reflect.Slice {
		c.value(path, of, values.Interface())
		return
	}
	for i := range values.Len() {
		c.value(domain.IndexPath(path, i), of, values.Index(i).Interface())
	}
}

// object checks fields in the order of the schema, so that the same input always has the same errors.
func (c *variableCheck) object(path string, definition *ast.Definition, value any) {
	fields, _ := value.(map[string]any)
	for _, field := range definition.Fields {
		if member, given := fields[field.Name]; given {
			c.value(domain.JoinPath(path, field.Name), field.Type, member)
		}
	}
}

// builtIn maps GraphQL's own scalars to the accepted Go kinds. Custom scalars check their values themselves.
var builtIn = map[string]struct {
	kinds   []reflect.Kind
	message string
}{
	"Int":     {[]reflect.Kind{reflect.Int64}, "must be an integer of at most 64 bits"},
	"Float":   {[]reflect.Kind{reflect.Int64, reflect.Float64}, "must be a number"},
	"String":  {[]reflect.Kind{reflect.String}, "must be a string"},
	"Boolean": {[]reflect.Kind{reflect.Bool}, "must be true or false"},
	"ID":      {[]reflect.Kind{reflect.String, reflect.Int64}, "must be a string"},
}

// scalar accepts any value for a custom scalar, which checks it when gqlgen decodes it.
func (c *variableCheck) scalar(path, name string, value any) {
	if scalar, known := builtIn[name]; known && !slices.Contains(scalar.kinds, reflect.TypeOf(value).Kind()) {
		c.Add(path, scalar.message)
	}
}
