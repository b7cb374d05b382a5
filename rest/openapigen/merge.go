package main

import (
	"slices"

	"github.com/goccy/go-yaml"
)

// lookUp returns the object under a key.
func lookUp(in object, key string) (object, bool) {
	for _, item := range in {
		if item.Key == key {
			found, ok := item.Value.(object)
			return found, ok
		}
	}
	return nil, false
}

func properties(of object) object {
	found, _ := lookUp(of, "properties")
	return found
}

// set replaces the item with the same key, or adds it.
func set(in object, item yaml.MapItem) object {
	at := slices.IndexFunc(in, func(other yaml.MapItem) bool { return other.Key == item.Key })
	if at < 0 {
		return append(in, item)
	}
	in[at] = item
	return in
}

// nullable returns the schema extended by null.
func nullable(schema object) object {
	if len(schema) == 0 {
		return schema // any value
	}
	if schema[0].Key == "type" {
		return append(object{{Key: "type", Value: []any{schema[0].Value, "null"}}}, schema[1:]...)
	}
	return object{{Key: "anyOf", Value: []object{schema, {{Key: "type", Value: "null"}}}}}
}

// merged returns the schema with the additions of rest_only.yaml. An addition with a type replaces the schema.
func merged(schema, only object) object {
	replaces := slices.ContainsFunc(only, func(item yaml.MapItem) bool {
		return slices.Contains([]any{"type", "$ref", "anyOf", "description"}, item.Key)
	})
	if replaces {
		return slices.Clone(only)
	}
	for _, item := range only {
		schema = set(schema, item)
	}
	return schema
}

// withDescription adds the description of a field unless it has one. Next to a reference it would have no effect.
func withDescription(schema object, text string) object {
	described := slices.ContainsFunc(schema, func(item yaml.MapItem) bool { return item.Key == "description" })
	if text == "" || described {
		return schema
	}
	if len(schema) > 0 && schema[0].Key == "$ref" {
		schema = object{{Key: "allOf", Value: []object{schema}}}
	}
	return append(schema, yaml.MapItem{Key: "description", Value: text})
}
