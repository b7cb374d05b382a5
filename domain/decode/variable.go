package decode

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// variable is a Go value to fill.
type variable struct {
	of reflect.Value
	// required variables do not accept null.
	required bool
	// coerced values come from GraphQL, where the schema decides which fields are required.
	coerced bool
	// readOnly lists the fields of a struct that may be sent without effect. lenient structs ignore all unknown fields.
	readOnly map[string]bool
	lenient  bool
	// known holds the fields of a struct. entries holds the values of a map in the order in which they were sent.
	known   *fieldSet
	entries reflect.Value
}

// optional is the interface that *optional.Value[T] offers to a decoder.
type optional interface {
	Present() any
	Clear()
}

var errNull = errors.New("must not be null")

// take leaves pointers nil for null, and sets an optional field to null.
func (v variable) take(value source) (variable, bool, error) {
	field, isOptional := reflect.TypeAssert[optional](v.of.Addr())
	switch isNull := value.kind() == ecmajson.Null; {
	case isOptional && isNull:
		field.Clear()
		return v, true, nil
	case isNull && v.required:
		return v, true, errNull
	case isNull:
		return v, true, nil
	case isOptional:
		v.of = reflect.ValueOf(field.Present()).Elem()
	}
	taken, err := value.scalar(v.of.Addr().Interface())
	if !taken && v.of.Kind() == reflect.Pointer {
		v.of.Set(reflect.New(v.of.Type().Elem()))
		v.of = v.of.Elem()
		return v.take(value)
	}
	return v, taken, err
}

func (v variable) kind() document.Kind {
	switch kind := v.of.Kind(); {
	case kind == reflect.Struct:
		return document.Object
	case kind == reflect.Map:
		return document.Map
	case kind == reflect.Slice:
		return document.Array
	case kind == reflect.Bool:
		return document.Boolean
	case v.of.CanInt():
		return document.Integer
	case v.of.CanFloat():
		return document.Decimal
	}
	return document.Text
}

func (v variable) scalar(value source) (message, hint string) { //nolint:unparam // place returns hints
	switch {
	case v.of.Kind() == reflect.Bool:
		v.of.SetBool(value.truth())
	case v.of.CanInt():
		return v.integer(value.number()), ""
	case v.of.CanFloat():
		v.of.SetFloat(doubleOf(value.number()))
	default:
		v.of.SetString(value.text())
	}
	return "", ""
}

func (v variable) integer(number string) (message string) {
	whole, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err == nil && !v.of.OverflowInt(whole):
		v.of.SetInt(whole)
		return ""
	case doubleOf(number) != math.Trunc(doubleOf(number)):
		return "must be an integer"
	}
	return "must be an integer of at most 64 bits"
}

// doubleOf returns the value of a number that ecmajson has validated.
func doubleOf(number string) float64 {
	double, _ := strconv.ParseFloat(number, 64)
	return double
}

func (v variable) open(count int) variable {
	switch v.of.Kind() { //nolint:exhaustive // no other kind has parts
	case reflect.Struct:
		v.known = fieldsOf(v.of.Type(), v.coerced)
	case reflect.Slice:
		v.of.Set(reflect.MakeSlice(v.of.Type(), count, count))
	case reflect.Map:
		v.entries = reflect.MakeSlice(reflect.SliceOf(v.of.Type().Elem()), count, count)
	}
	return v
}

func (v variable) close(parts []sent) {
	if v.of.Kind() != reflect.Map {
		return
	}
	kind := v.of.Type()
	v.of.Set(reflect.MakeMap(kind))
	for i, part := range parts {
		v.of.SetMapIndex(reflect.ValueOf(part.name).Convert(kind.Key()), v.entries.Index(i))
	}
}

// part allows null for the entries of a map, which leaves them zero.
func (v variable) part(i int, _ string) variable {
	part := variable{coerced: v.coerced, lenient: v.lenient}
	switch v.of.Kind() { //nolint:exhaustive // no other kind has parts
	case reflect.Struct:
		field := v.known.list[i]
		part.of, part.required = v.of.FieldByIndex(field.index), field.required && !v.coerced
	case reflect.Slice:
		part.of, part.required = v.of.Index(i), !v.coerced
	case reflect.Map:
		part.of = v.entries.Index(i)
	}
	return part
}

func (v variable) fields() (names []string, at map[string]int) { return v.known.names, v.known.at }

func (v variable) ignores(name string) bool {
	isAlike := func(known string) bool { return strings.EqualFold(known, name) }
	return v.readOnly[name] || (v.lenient && !slices.ContainsFunc(v.known.names, isAlike))
}

func (v variable) lacks(i int, parts []sent) string {
	isSent := func(part sent) bool { return part.name == v.known.names[i] }
	if v.known.list[i].required && !v.coerced && !slices.ContainsFunc(parts, isSent) {
		return "is required"
	}
	return ""
}
