package decode

import (
	"encoding/json"

	"ticketgate/domain/ecmajson"
)

// source is a value to decode, whichever way it came in.
type source interface {
	// kind returns the kind of JSON value that it is, and is reports whether it may be taken for one of a kind.
	kind() ecmajson.Kind
	is(kind ecmajson.Kind) bool
	// text, truth and number return a text, a boolean and the digits of a number.
	text() string
	truth() bool
	number() string
	// elements returns what a list holds, without names.
	elements() []sent
	// fields returns what an object holds. Sources without an order of their own have names first.
	fields(names []string) []sent
	// scalar decodes the value into a type that reads its values itself. It reports false for any other type.
	scalar(into any) (ok bool, err error)
}

// sent is a part of what was sent.
type sent struct {
	name  string
	value source
}

// read is JSON that ecmajson has read.
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

// fields returns them in the order in which they were sent.
func (r *read) fields([]string) []sent {
	members := r.value().Members()
	list := make([]sent, len(members))
	for i := range members {
		list[i] = sent{members[i].Name, (*read)(&members[i].Value)}
	}
	return list
}

// scalar hands types that read JSON their text. A value of any type needs no further reading.
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
