package main

import (
	"reflect"
	"strings"
)

// goField is a JSON field of a Go type.
type goField struct {
	name    string
	of      reflect.Type
	omitted bool // whether it is omitted without a value
}

// fieldsOf returns the fields of a struct. If embedded is true, it includes those of embedded structs.
func fieldsOf(t reflect.Type, embedded bool) []goField {
	var all []goField
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "" && embedded:
			all = append(all, fieldsOf(field.Type, true)...)
		case name != "" && name != "-":
			all = append(all, goField{name: name, of: field.Type, omitted: strings.Contains(options, "omit")})
		}
	}
	return all
}

// named returns the type of a field's values, without pointers, slices and optional.Value.
func named(t reflect.Type) reflect.Type {
	for {
		switch {
		case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice:
			t = t.Elem()
		case strings.HasPrefix(t.Name(), "Optional["):
			value, _ := t.FieldByName("Value")
			t = value.Type
		default:
			return t
		}
	}
}

// graphqlName returns the GraphQL name of a field. Names with two underscores are reserved for introspection.
func graphqlName(name string) string {
	if short, found := strings.CutPrefix(name, "__"); found {
		return "_" + short
	}
	return name
}
