package decode

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"ticketgate/domain/ecmajson"
)

// coerced is a value that gqlgen has read from a document or its variables and checked against the schema.
type coerced struct{ value any }

// kind returns the JSON kind of a plain Go value. Lists may have elements of any type, because gqlparser wraps a single
// value in a slice of its own type.
func (c coerced) kind() ecmajson.Kind {
	if read, ok := c.value.(ecmajson.Value); ok {
		return read.Kind()
	}
	switch of := reflect.ValueOf(c.value); of.Kind() { //nolint:exhaustive // gqlgen returns no other kinds
	case reflect.Invalid:
		return ecmajson.Null
	case reflect.Bool:
		return ecmajson.Bool
	case reflect.String:
		return ecmajson.String
	case reflect.Slice:
		return ecmajson.Array
	case reflect.Map:
		return ecmajson.Object
	}
	return ecmajson.Number
}

// is reports whether a value has the kind. It accepts an integer as a string, because an ID may be one, and any value
// as a list of one.
func (c coerced) is(kind ecmajson.Kind) bool {
	switch c.value.(type) {
	case string, int64:
		if kind == ecmajson.String {
			return true
		}
	}
	return kind == ecmajson.Array || (kind != ecmajson.String && kind == c.kind())
}

func (c coerced) text() string {
	if text, ok := c.value.(string); ok {
		return text
	}
	return c.number()
}

func (c coerced) truth() bool {
	truth, _ := c.value.(bool)
	return truth
}

// number returns the digits as written. A double prints as the shortest text that parses to it.
func (c coerced) number() string {
	switch value := c.value.(type) {
	case int64:
		return strconv.FormatInt(value, 10)
	case float64:
		return string(ecmajson.AppendNumber(nil, value))
	}
	return ""
}

// elements treats a single value as a list of one, as GraphQL does.
func (c coerced) elements() []sent {
	if c.kind() != ecmajson.Array {
		return []sent{{value: c}}
	}
	elements := reflect.ValueOf(c.value)
	list := make([]sent, elements.Len())
	for i := range list {
		list[i].value = coerced{elements.Index(i).Interface()}
	}
	return list
}

// fields returns the fields with the given names in their order, followed by all others.
func (c coerced) fields(names []string) []sent {
	values, _ := c.value.(map[string]any)
	list := make([]sent, 0, len(values))
	for _, name := range names {
		if value, ok := values[name]; ok {
			list = append(list, sent{name, coerced{value}})
		}
	}
	if len(list) == len(values) {
		return list
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != typeName && !slices.Contains(names, name) {
			list = append(list, sent{name, coerced{values[name]}})
		}
	}
	return list
}

// typeName is a field that clients may send in any object of a variable. It is ignored.
const typeName = "__typename"

// scalar passes the value to a type that is a scalar of the schema.
func (c coerced) scalar(into any) (bool, error) {
	if scalar, ok := into.(interface{ UnmarshalGQL(v any) error }); ok {
		return true, scalar.UnmarshalGQL(c.value)
	}
	return false, nil
}
