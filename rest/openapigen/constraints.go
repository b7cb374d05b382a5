package main

import (
	"strconv"

	"github.com/goccy/go-yaml"
	"github.com/vektah/gqlparser/v2/ast"
)

// keywords maps arguments of @constraint to JSON Schema keywords with a different name.
var keywords = map[string]string{"min": "minimum", "max": "maximum"}

// constraints returns the JSON Schema keywords for a field's @constraint directive.
func constraints(field *ast.FieldDefinition) object {
	directive := field.Directives.ForName("constraint")
	if directive == nil {
		return nil
	}
	said := make(object, 0, len(directive.Arguments))
	for _, argument := range directive.Arguments {
		keyword, ok := keywords[argument.Name]
		if !ok {
			keyword = argument.Name
		}
		var value any = argument.Value.Raw
		if number, err := strconv.Atoi(argument.Value.Raw); err == nil && argument.Value.Kind == ast.IntValue {
			value = number
		}
		said = append(said, yaml.MapItem{Key: keyword, Value: value})
	}
	return said
}
