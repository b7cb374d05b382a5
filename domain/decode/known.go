package decode

import (
	"reflect"
	"slices"
	"strings"

	"ticketgate/domain/ecmajson"
)

// Known returns a value without the fields that a type does not have, also inside its objects and arrays of objects. A field
// that differs from a known one in case only is kept, to be refused: one of the two is meant.
func Known(value ecmajson.Value, of reflect.Type) ecmajson.Value {
	if of == reflect.TypeFor[ecmajson.Value]() {
		return value // what the operation itself reads
	}
	if member, ok := reflect.TypeAssert[optional](reflect.New(of)); ok {
		return Known(value, reflect.TypeOf(member.Present()).Elem())
	}
	switch {
	case of.Kind() == reflect.Pointer:
		return Known(value, of.Elem())
	case of.Kind() == reflect.Slice && value.Kind() == ecmajson.Array:
		elements := make([]ecmajson.Value, len(value.Elements()))
		for i, element := range value.Elements() {
			elements[i] = Known(element, of.Elem())
		}
		return ecmajson.NewArray(elements)
	case of.Kind() != reflect.Struct || value.Kind() != ecmajson.Object:
		return value
	}
	fields := fieldsOf(of, false)
	var kept []ecmajson.Member
	for _, member := range value.Members() {
		if known, ok := fields.named[member.Name]; ok {
			member.Value = Known(member.Value, of.FieldByIndex(known.index).Type)
			kept = append(kept, member)
		} else if slices.ContainsFunc(fields.names, func(name string) bool { return strings.EqualFold(name, member.Name) }) {
			kept = append(kept, member)
		}
	}
	return ecmajson.NewObject(kept)
}
