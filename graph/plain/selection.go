package plain

import (
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Selection holds the fields selected from the objects of one type, in the order of the response.
type Selection struct {
	Fields []Field
	// Rest are the fields that aren't plain.
	Rest ast.SelectionSet
}

// Field is a selected field.
type Field struct {
	// Name is the field's name in the schema. It is empty if the field is in Rest.
	Name string
	// Below is the selection from the field's objects; nil for a leaf.
	Below *Selection
	// key is the JSON before the value. For __typename, it includes the value.
	key string
}

// IsPlain reports whether all selected fields are plain. A nil selection isn't.
func (s *Selection) IsPlain() bool { return s != nil && len(s.Rest) == 0 }

// Select returns the selection from the objects of a type, or nil if none of it is plain. The function isPlain reports
// whether a field is plain, including the selection below it. The result is cached for the operation.
func Select(
	operation *graphql.OperationContext, object string, set ast.SelectionSet, implementors []string,
	isPlain func(*graphql.CollectedField) (below *Selection, ok bool),
) *Selection {
	shared := of(operation)
	if shared == nil || len(set) == 0 {
		return nil
	}
	at := place{&set[0], len(set), object}
	selection, known := shared.known(at)
	if !known {
		selection = newSelection(object, graphql.CollectFields(operation, set, implementors), isPlain)
		shared.keep(at, selection)
	}
	return selection
}

func newSelection(
	object string, fields []graphql.CollectedField, isPlain func(*graphql.CollectedField) (*Selection, bool),
) *Selection {
	if len(fields) == 0 {
		return nil
	}
	selection := &Selection{Fields: make([]Field, len(fields))}
	keys := keysOf(fields)
	for i := range fields {
		field := &fields[i]
		if len(field.Deferrables) > 0 || isRepeated(fields[:i], field.Alias) {
			return nil // gqlgen has rules for these
		}
		key := len(before) + len(field.Alias) + len(after)
		created := Field{key: keys[:key]}
		keys = keys[key:]
		if field.Name == "__typename" {
			created.Name, created.key = field.Name, created.key+strconv.Quote(object)
		} else if below, ok := isPlain(field); ok {
			created.Name, created.Below = field.Name, below
		} else {
			selection.Rest = append(selection.Rest, whole(field))
		}
		selection.Fields[i] = created
	}
	if len(selection.Rest) == len(fields) {
		return nil
	}
	return selection
}

// before and after are the JSON around the name of a field.
const before, after = `,"`, `":`

// keysOf returns the JSON before the values of an object's fields, as one string.
func keysOf(fields []graphql.CollectedField) string {
	size := 0
	for i := range fields {
		size += len(before) + len(fields[i].Alias) + len(after)
	}
	keys := make([]byte, 0, size)
	for i := range fields {
		keys = append(append(append(keys, before...), fields[i].Alias...), after...)
	}
	keys[0] = '{'
	return string(keys)
}

func isRepeated(fields []graphql.CollectedField, alias string) bool {
	for i := range fields {
		if fields[i].Alias == alias {
			return true
		}
	}
	return false
}

// whole returns a field of the document with the selections collected from all its occurrences.
func whole(collected *graphql.CollectedField) *ast.Field {
	if len(collected.Selections) == len(collected.SelectionSet) {
		return collected.Field
	}
	field := *collected.Field
	field.SelectionSet = collected.Selections
	return &field
}
