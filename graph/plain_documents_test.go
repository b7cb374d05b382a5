package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// randomDocument generates a valid document with all kinds of selections.
type randomDocument struct {
	schema    *ast.Schema
	random    *rand.Rand
	fragments strings.Builder
	named     int
	// selected records the types from which fields are selected.
	selected map[string]bool
}

func newRandomDocument(schema *ast.Schema, seed uint64, selected map[string]bool) string {
	d := &randomDocument{schema: schema, random: rand.New(rand.NewPCG(seed, 1)), selected: selected}
	kind, root := "query", schema.Query
	if seed%3 == 0 {
		kind, root = "mutation", schema.Mutation
	}
	fields := slices.DeleteFunc(slices.Clone(root.Fields), func(f *ast.FieldDefinition) bool { return strings.HasPrefix(f.Name, "__") })
	// The seeds cycle through the root fields.
	first := d.field(fields[int(seed/3)%len(fields)], 0, false)
	second := d.field(fields[d.random.IntN(len(fields))], 0, true)
	return kind + " Q($yes: Boolean!, $no: Boolean!) { __typename @skip(if: $no) x: __typename @include(if: $yes) " + first + second + "}" +
		d.fragments.String()
}

const maxQueryDepth = 4

// selections returns a selection set for a type. Fields of different types in one object must not share a response name,
// which aliases ensure.
func (d *randomDocument) selections(of *ast.Definition, depth int, alias bool) string {
	d.selected[of.Name] = true
	var text strings.Builder
	text.WriteString("{ ")
	if d.random.IntN(3) == 0 {
		text.WriteString("__typename ")
	}
	if of.Kind == ast.Union || of.Kind == ast.Interface {
		text.WriteString("__typename ")
		for _, possible := range d.schema.GetPossibleTypes(of) {
			text.WriteString(d.fragment(possible, depth, true))
		}
	}
	before := text.Len()
	for _, field := range of.Fields {
		below := field.Type.Name()
		isLeaf := d.schema.Types[below].IsLeafType()
		isChosen := d.random.IntN(4) > 0
		if !isLeaf {
			isChosen = depth < maxQueryDepth && d.random.IntN(3) == 0 || !d.selected[below]
		}
		if isChosen {
			text.WriteString(d.field(field, depth, alias))
		}
	}
	if of.Kind == ast.Object && d.random.IntN(4) == 0 {
		text.WriteString(d.fragment(of, depth+1, true))
	}
	if text.Len() == before {
		text.WriteString("t: __typename ")
	}
	text.WriteString("} ")
	return text.String()
}

// field returns a field, sometimes with an alias, a directive, or twice.
func (d *randomDocument) field(field *ast.FieldDefinition, depth int, alias bool) string {
	text := field.Name + d.arguments(field.Arguments)
	if alias || d.random.IntN(4) == 0 {
		d.named++
		text = fmt.Sprintf("a%d: %s", d.named, text)
	}
	twice := d.random.IntN(5) == 0
	again := text
	if depth > 0 {
		text += d.directive()
	}
	if below := d.schema.Types[field.Type.Name()]; !below.IsLeafType() {
		text += d.selections(below, depth+1, false)
		if twice {
			again += d.selections(below, maxQueryDepth, true)
		}
	}
	if twice {
		text += " " + again
	}
	return text + " "
}

func (d *randomDocument) directive() string {
	return []string{" ", " ", " ", " ", " ", " @skip(if: $yes) ", " @include(if: $yes) ", " @skip(if: $no) @include(if: $no) "}[d.random.IntN(8)]
}

// fragment returns a fragment on a type, inline or spread.
func (d *randomDocument) fragment(of *ast.Definition, depth int, alias bool) string {
	below := d.selections(of, depth, alias)
	if d.random.IntN(2) == 0 {
		return "... on " + of.Name + d.directive() + below
	}
	d.named++
	name := fmt.Sprintf("F%d", d.named)
	d.fragments.WriteString(" fragment " + name + " on " + of.Name + below)
	return "..." + name + d.directive() + " "
}

// arguments returns the required arguments.
func (d *randomDocument) arguments(defined ast.ArgumentDefinitionList) string {
	var given []string
	for _, argument := range defined {
		if argument.Type.NonNull && argument.DefaultValue == nil {
			given = append(given, argument.Name+": "+d.literal(argument.Type))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

// literal returns a fixed value of an input type.
func (d *randomDocument) literal(of *ast.Type) string {
	if of.Elem != nil {
		return "[]"
	}
	definition := d.schema.Types[of.NamedType]
	if definition.Kind == ast.Enum {
		return definition.EnumValues[0].Name
	}
	if definition.Kind == ast.InputObject {
		var fields []string
		for _, field := range definition.Fields {
			if field.Type.NonNull && field.DefaultValue == nil {
				fields = append(fields, field.Name+": "+d.literal(field.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	switch of.NamedType {
	case "Int", "Float":
		return "1"
	case "Boolean":
		return "true"
	case "JSON":
		return "{}"
	case "DateTime":
		return `"2026-11-27T20:37:00.120Z"`
	}
	return `"6570c1119d3e4f0012ab0200"`
}
