package main

import (
	"reflect"
	"strings"
)

// goField is a field of a Go type as JSON has it.
type goField struct {
	name    string
	of      reflect.Type
	omitted bool // from the JSON, if it has no value
}

// fieldsOf returns the fields of a struct, with those of embedded structs where these are part of it.
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

// named returns the type of a field's values: without pointers, slices and domain.Optional.
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

// graphqlName returns GraphQL's name of a field: two underscores are for introspection.
func graphqlName(name string) string {
	if short, found := strings.CutPrefix(name, "__"); found {
		return "_" + short
	}
	return name
}
