package main

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/vektah/gqlparser/v2/ast"
)

// object is a mapping of the document with ordered keys.
type object = yaml.MapSlice

type generator struct {
	schema   *ast.Schema
	restOnly map[string]object
	names    map[string]string // of components, by the GraphQL type that describes them
	enums    map[string]object
	used     map[string]bool // keys of restOnly that have been applied
}

func ref(name string) object { return object{{Key: "$ref", Value: "#/components/schemas/" + name}} }

// schemas returns all schemas: objects, then scalars and tables, then enumerations by name.
func (g *generator) schemas() (object, error) {
	g.names = namesOfComponents()
	var all object
	for _, c := range components() {
		created, err := g.component(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		all = append(all, yaml.MapItem{Key: c.name, Value: created})
	}
	all = append(all, g.tables()...)
	for _, name := range slices.Sorted(maps.Keys(g.enums)) {
		all = append(all, yaml.MapItem{Key: name, Value: g.enums[name]})
	}
	for name, only := range g.restOnly {
		for _, item := range properties(only) {
			if place := name + "." + item.Key.(string); !g.used[place] { //nolint:forcetypeassert,errcheck // a key of YAML
				return nil, fmt.Errorf("%s of %s is not a field of the generated schemas", place, restOnly)
			}
		}
	}
	return all, nil
}

// namesOfComponents returns the names of schemas by the GraphQL type that describes them.
func namesOfComponents() map[string]string {
	names := maps.Clone(elsewhere)
	for _, c := range components() {
		names[c.graphql] = c.name
	}
	return names
}

// component returns the schema of an object.
func (g *generator) component(c component) (object, error) {
	definition := g.schema.Types[c.graphql]
	if definition == nil {
		return nil, fmt.Errorf("the schema has no type %s", c.graphql)
	}
	request := definition.Kind == ast.InputObject
	var fields object
	var required []string
	for _, field := range fieldsOf(c.of, c.kind == flat || request) {
		if field.name == c.without {
			continue
		}
		property, must, err := g.property(c, definition, field)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", field.name, err)
		}
		fields = append(fields, yaml.MapItem{Key: field.name, Value: property})
		if must {
			required = append(required, field.name)
		}
	}
	if c.resource != nil {
		for _, field := range fieldsOf(c.resource, true) {
			if !slices.ContainsFunc(fields, func(item yaml.MapItem) bool { return item.Key == field.name }) {
				fields = append(fields, yaml.MapItem{Key: field.name, Value: ref("Ignored")})
			}
		}
	}
	return g.finished(c, definition, fields, required), nil
}

// finished assembles the schema of an object.
func (g *generator) finished(c component, definition *ast.Definition, fields object, required []string) object {
	var created object
	if c.extends == "" {
		created = append(created, yaml.MapItem{Key: "type", Value: "object"})
	}
	if definition.Description != "" && c.kind != part {
		created = append(created, yaml.MapItem{Key: "description", Value: definition.Description})
	}
	switch {
	case c.extends != "":
		created = append(created,
			yaml.MapItem{Key: "allOf", Value: []object{ref(c.extends)}}, yaml.MapItem{Key: "unevaluatedProperties", Value: false})
	case c.kind == open:
		created = append(created, yaml.MapItem{Key: "additionalProperties", Value: true})
	case c.kind != part:
		created = append(created, yaml.MapItem{Key: "additionalProperties", Value: false})
	}
	if len(required) > 0 {
		created = append(created, yaml.MapItem{Key: "required", Value: required})
	}
	for _, item := range g.restOnly[c.name] {
		if item.Key != "properties" {
			created = set(created, item)
		}
	}
	return append(created, yaml.MapItem{Key: "properties", Value: fields})
}

// property returns the schema of one field, and whether the field is required.
func (g *generator) property(c component, definition *ast.Definition, field goField) (property object, required bool, err error) {
	described := definition.Fields.ForName(graphqlName(field.name))
	only, found := lookUp(properties(g.restOnly[c.name]), field.name)
	g.used[c.name+"."+field.name] = true
	if described == nil {
		if !found {
			return nil, false, fmt.Errorf("neither %s nor %s describes it", c.graphql, restOnly)
		}
		return only, !field.omitted, nil
	}
	request := definition.Kind == ast.InputObject
	text, required := onlyGraphQL.ReplaceAllString(described.Description, ""), described.Type.NonNull && !field.omitted
	property, err = g.valueOf(described.Type, field.of, request)
	property = append(property, constraints(described)...)
	switch {
	case err != nil:
		return nil, false, err
	case described.Type.NonNull:
	case request:
		property = nullable(property)
	case field.omitted:
		text = withoutNull.Replace(text)
	default:
		property, required = nullable(property), true
	}
	return withDescription(merged(property, only), text), required, nil
}

// valueOf returns the schema of a field's non-null values.
func (g *generator) valueOf(t *ast.Type, of reflect.Type, request bool) (object, error) {
	if t.Elem != nil {
		items, err := g.valueOf(t.Elem, of, request)
		return object{{Key: "type", Value: "array"}, {Key: "items", Value: items}}, err
	}
	if t.NamedType == "DateTime" && request {
		return ref("DateTime"), nil
	}
	if scalar, ok := scalars[t.NamedType]; ok {
		return slices.Clone(scalar), nil
	}
	definition := g.schema.Types[t.NamedType]
	if definition.Kind == ast.Enum {
		g.enums[t.NamedType] = enumeration(definition, named(of))
		return ref(t.NamedType), nil
	}
	name, ok := g.names[t.NamedType]
	if !ok {
		return nil, fmt.Errorf("%s has no component", t.NamedType)
	}
	return ref(name), nil
}

// enumeration returns the schema of an enumeration with REST's spelling, which the Go type provides.
func enumeration(definition *ast.Definition, of reflect.Type) object {
	type unmarshaler interface{ UnmarshalGQL(from any) error }
	var text strings.Builder
	text.WriteString(definition.Description)
	values := make([]string, 0, len(definition.EnumValues))
	for i, value := range definition.EnumValues {
		spelled := value.Name
		read := reflect.New(of)
		if from, ok := reflect.TypeAssert[unmarshaler](read); ok && from.UnmarshalGQL(value.Name) == nil {
			spelled = read.Elem().String()
		}
		values = append(values, spelled)
		if value.Description == "" {
			continue
		}
		if i == 0 && text.Len() > 0 {
			text.WriteString("\n")
		}
		fmt.Fprintf(&text, "\n- `%s`: %s", spelled, strings.ReplaceAll(value.Description, "\n", " "))
	}
	created := object{{Key: "type", Value: "string"}}
	if text.Len() > 0 {
		created = append(created, yaml.MapItem{Key: "description", Value: strings.TrimSpace(text.String())})
	}
	return append(created, yaml.MapItem{Key: "enum", Value: values})
}

// onlyGraphQL matches advice that does not apply to REST, which has If-Match.
var onlyGraphQL = regexp.MustCompile("\\s*Send it as `expectedUpdatedAt` to detect concurrent changes\\.")

// withoutNull rewrites descriptions of response fields: REST omits fields that are null in GraphQL.
var withoutNull = strings.NewReplacer(
	"Null ", "Omitted ", "Null\n", "Omitted\n", "null ", "omitted ", "null\n", "omitted\n", "null.", "omitted.", "null,", "omitted,",
)
