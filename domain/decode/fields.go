package decode

import (
	"reflect"
	"strings"
	"sync"
)

// field is a field of a struct: its index and whether it must be sent.
type field struct {
	index    []int
	required bool
}

// fieldSet holds the fields of a struct in order, and their indexes by the names of their json tags. It is built once
// per type.
type fieldSet struct {
	names []string
	list  []field
	at    map[string]int
}

// fieldSets holds the fields of each type in JSON, and separately its fields in GraphQL.
var fieldSets [2]sync.Map // reflect.Type → *fieldSet

// fieldsOf returns the fields of a struct. Fields with a graphql tag exist in GraphQL only.
func fieldsOf(t reflect.Type, graphql bool) *fieldSet {
	sets := &fieldSets[0]
	if graphql {
		sets = &fieldSets[1]
	}
	if known, ok := sets.Load(t); ok {
		return known.(*fieldSet) //nolint:forcetypeassert,errcheck,revive // nothing else is stored
	}
	set := &fieldSet{at: map[string]int{}}
	for _, f := range reflect.VisibleFields(t) { // including those of embedded structs
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if only := f.Tag.Get("graphql"); graphql && only != "" {
			name = only
		}
		if name == "" || name == "-" {
			continue
		}
		set.at[name] = len(set.names)
		set.names = append(set.names, name)
		set.list = append(set.list, field{index: f.Index, required: isRequired(f.Type, options)})
	}
	sets.Store(t, set)
	return set
}

func isRequired(t reflect.Type, options string) bool {
	_, isOptional := reflect.TypeAssert[optional](reflect.New(t))
	return !isOptional && t.Kind() != reflect.Pointer && !strings.Contains(options, "omit") // omitempty or omitzero
}

// Fields returns the names of a struct's JSON fields in order, and the names of those that are required.
func Fields(of reflect.Type) (names, required []string) {
	fields := fieldsOf(of, false)
	for i, name := range fields.names {
		if fields.list[i].required {
			required = append(required, name)
		}
	}
	return fields.names, required
}

// InputFields returns the names of a struct's GraphQL fields in order.
func InputFields(of reflect.Type) []string { return fieldsOf(of, true).names }

// Names returns the names of a record's JSON fields, which a body may repeat without effect.
func Names(of reflect.Type) map[string]bool {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	names := map[string]bool{}
	for field := range of.Fields() {
		if field.Anonymous {
			for name := range Names(field.Type) {
				names[name] = true
			}
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names[name] = true
		}
	}
	return names
}
