package decode

import (
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"ticketgate/domain/ecmajson"
)

// coerced is a value that gqlgen has taken out of a document or its variables, and compared with the schema.
type coerced struct{ value any }

// kind tells plain Go values apart. Lists may have elements of any type: gqlparser makes a slice of one where a list is missing.
func (c coerced) kind() ecmajson.Kind {
	if read, ok := c.value.(ecmajson.Value); ok {
		return read.Kind()
	}
	switch of := reflect.ValueOf(c.value); of.Kind() { //nolint:exhaustive // gqlgen makes nothing else
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

// text takes an integer, too: an ID may be one.
func (c coerced) text() (string, bool) {
	switch value := c.value.(type) {
	case string:
		return value, true
	case int64:
		return strconv.FormatInt(value, 10), true
	}
	return "", false
}

func (c coerced) truth() bool {
	truth, _ := c.value.(bool)
	return truth
}

// number returns the digits as they were written: a double prints as the shortest text that it is read from.
func (c coerced) number() string {
	switch value := c.value.(type) {
	case int64:
		return strconv.FormatInt(value, 10)
	case float64:
		return string(ecmajson.AppendNumber(nil, value))
	}
	return ""
}

// elements takes a single value for a list of one, as GraphQL does.
func (c coerced) elements() (iter.Seq2[int, source], int, bool) {
	if c.kind() != ecmajson.Array {
		return func(yield func(int, source) bool) { yield(0, c) }, 1, true
	}
	list := reflect.ValueOf(c.value)
	return func(yield func(int, source) bool) {
		for i := range list.Len() {
			if !yield(i, coerced{list.Index(i).Interface()}) {
				return
			}
		}
	}, list.Len(), true
}

// fields yields those that a struct has in its order, and any other behind them.
func (c coerced) fields(names []string) (iter.Seq2[string, source], int) {
	sent, _ := c.value.(map[string]any)
	return func(yield func(string, source) bool) {
		known := 0
		for _, name := range names {
			if value, ok := sent[name]; ok {
				if known++; !yield(name, coerced{value}) {
					return
				}
			}
		}
		if known == len(sent) {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(sent)) {
			if name != typeName && !slices.Contains(names, name) && !yield(name, coerced{sent[name]}) {
				return
			}
		}
	}, len(sent)
}

// typeName is a field that every object of a variable may have; it says nothing.
const typeName = "__typename"

// has is true: the schema says which fields are required, and gqlgen has looked for them.
func (coerced) has(string) bool { return true }

// scalar hands types of the schema their value.
func (c coerced) scalar(into any) (bool, error) {
	if scalar, ok := into.(interface{ UnmarshalGQL(v any) error }); ok {
		return true, scalar.UnmarshalGQL(c.value)
	}
	return false, nil
}
