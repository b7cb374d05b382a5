package decode

import (
	"encoding/json"

	"ticketgate/domain/ecmajson"
)

// source is a value to decode, from JSON or from GraphQL.
type source interface {
	// kind returns the JSON kind of the value. is reports whether the value can be used as a kind.
	kind() ecmajson.Kind
	is(kind ecmajson.Kind) bool
	// text, truth and number return a string, a boolean and the digits of a number.
	text() string
	truth() bool
	number() string
	// elements returns the elements of a list, without names.
	elements() []sent
	// fields returns the fields of an object. Sources without an order return the fields in names first.
	fields(names []string) []sent
	// scalar decodes the value into a type that decodes itself. It returns false for any other type.
	scalar(into any) (ok bool, err error)
}

// sent is a field or an element as sent.
type sent struct {
	name  string
	value source
}

// read is JSON parsed by ecmajson.
type read ecmajson.Value

func (r *read) value() ecmajson.Value { return ecmajson.Value(*r) }

func (r *read) kind() ecmajson.Kind { return r.value().Kind() }

func (r *read) is(kind ecmajson.Kind) bool { return r.kind() == kind }

func (r *read) text() string { return r.value().Text() }

func (r *read) truth() bool { return r.value().Bool() }

func (r *read) number() string { return r.value().Number() }

func (r *read) elements() []sent {
	elements := r.value().Elements()
	list := make([]sent, len(elements))
	for i := range elements {
		list[i].value = (*read)(&elements[i])
	}
	return list
}

// fields returns the fields in the order in which they were sent.
func (r *read) fields([]string) []sent {
	fields := r.value().Fields()
	list := make([]sent, len(fields))
	for i := range fields {
		list[i] = sent{fields[i].Name, (*read)(&fields[i].Value)}
	}
	return list
}

// scalar decodes into types that unmarshal JSON. An ecmajson.Value takes the value as it is.
func (r *read) scalar(into any) (bool, error) {
	switch into := into.(type) {
	case *ecmajson.Value:
		*into = r.value()
		return true, nil
	case json.Unmarshaler:
		return true, into.UnmarshalJSON(r.value().Print())
	}
	return false, nil
}
