package rest

import (
	"reflect"
	"strings"
	"sync"
)

// field is one member of a body: where it goes and whether it must be there.
type field struct {
	index    []int
	required bool
}

// fieldSet is what a struct's json tags say, read once per type.
type fieldSet struct {
	names []string // in the order of the struct
	named map[string]field
}

var fieldSets sync.Map // reflect.Type → *fieldSet

func fieldsOf(t reflect.Type) *fieldSet {
	if known, ok := fieldSets.Load(t); ok {
		return known.(*fieldSet) //nolint:forcetypeassert,errcheck,revive // nothing else is stored
	}
	set := &fieldSet{named: map[string]field{}}
	for _, member := range reflect.VisibleFields(t) { // those of an embedded struct, too
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		set.names = append(set.names, name)
		set.named[name] = field{index: member.Index, required: isRequired(member.Type, options)}
	}
	fieldSets.Store(t, set)
	return set
}

func isRequired(t reflect.Type, options string) bool {
	_, isOptional := reflect.TypeAssert[optional](reflect.New(t))
	return !isOptional && t.Kind() != reflect.Pointer && !strings.Contains(options, "omit") // omitempty or omitzero
}

// memberNames are the json names of a resource: those that a body may repeat without effect.
func memberNames(t reflect.Type) map[string]bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	names := map[string]bool{}
	for member := range t.Fields() {
		if member.Anonymous {
			for name := range memberNames(member.Type) {
				names[name] = true
			}
		}
		name, _, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names[name] = true
		}
	}
	return names
}
