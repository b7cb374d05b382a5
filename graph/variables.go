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

// variablesOf turns an object into what gqlgen takes for the variables of a document. What is of the type JSON stays as it was
// read: it is checked already, and as plain Go values it takes ten times as much memory.
func variablesOf(object ecmajson.Value, schema *ast.Schema, definitions ast.VariableDefinitionList) map[string]any {
	variables := make(map[string]any, len(object.Members()))
	for _, member := range object.Members() {
		var of *ast.Type
		if definition := definitions.ForName(member.Name); definition != nil {
			of = definition.Type
		}
		variables[member.Name] = variable(member.Value, schema, of)
	}
	return variables
}

// variable makes plain Go values, as gqlparser tells types apart by their Go kind. The type is nil if it is not known.
func variable(value ecmajson.Value, schema *ast.Schema, of *ast.Type) any {
	if value.Kind() != ecmajson.Null && of != nil && of.Elem == nil && of.NamedType == jsonScalar {
		value.SortMembers()
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

// jsonScalar is the type of any JSON value.
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

// inputOf makes an input object, or a list of one.
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
	members := make(map[string]any, len(object.Members()))
	for _, member := range object.Members() {
		var inner *ast.Type
		if field := fields.ForName(member.Name); field != nil {
			inner = field.Type
		}
		members[member.Name] = variable(member.Value, schema, inner)
	}
	return members
}

// numberOf makes a number what it would be as a literal of the document: a whole one an int64, any other a double, which
// ecmajson has found to hold it exactly. A json.Number is a string to gqlparser, and would pass as a String.
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

// applyDefaults takes null for "no value" (decisions 1.3): the variable's default stands in. Otherwise the null could reach
// a place that has no null, since validation lets a variable with a default stand there, and gqlgen panics on it.
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

// checkVariables refuses what gqlparser lets pass besides: text for numbers, enum values in another case, whole numbers
// that no Int holds. A literal of the document may not be written so either.
func checkVariables(schema *ast.Schema, operation *ast.OperationDefinition, values map[string]any) error {
	check := variableCheck{schema: schema}
	for _, definition := range operation.VariableDefinitions {
		if value, given := values[definition.Variable]; given {
			check.value(domain.JoinPath("variables", definition.Variable), definition.Type, value)
		}
	}
	return refusedBefore(check.Err())
}

// variableCheck gathers what doesn't fit; gqlparser has seen to nulls, missing and unknown members.
type variableCheck struct {
	domain.Problems
	schema *ast.Schema
}

// value goes down where the type has parts; a null that got here may stand where it is.
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

// list knows elements of any Go type: where one stands for a list of one, gqlparser has made a slice of its type.
func (c *variableCheck) list(path string, of *ast.Type, values reflect.Value) {
	if values.Kind() != reflect.Slice {
		c.value(path, of, values.Interface())
		return
	}
	for i := range values.Len() {
		c.value(domain.IndexPath(path, i), of, values.Index(i).Interface())
	}
}

// object goes through the members in the order of the schema, so that the same input gets the same answer.
func (c *variableCheck) object(path string, definition *ast.Definition, value any) {
	members, _ := value.(map[string]any)
	for _, field := range definition.Fields {
		if member, given := members[field.Name]; given {
			c.value(domain.JoinPath(path, field.Name), field.Type, member)
		}
	}
}

// builtIn says which Go kinds the scalars of GraphQL itself take. Scalars of our own check their values themselves.
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

// scalar lets a scalar of our own pass; those answer for their values when gqlgen reads them.
func (c *variableCheck) scalar(path, name string, value any) {
	if scalar, known := builtIn[name]; known && !slices.Contains(scalar.kinds, reflect.TypeOf(value).Kind()) {
		c.Add(path, scalar.message)
	}
}
