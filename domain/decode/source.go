package decode

import (
	"encoding/json"
	"iter"

	"ticketgate/domain/ecmajson"
)

// source is a value to decode, whichever way it came in.
type source interface {
	// kind returns the kind of JSON value that it is.
	kind() ecmajson.Kind
	// text returns what a string field holds, and false if the value is none.
	text() (string, bool)
	// truth returns the value of a boolean.
	truth() bool
	// number returns the digits of a number.
	number() string
	// elements returns what a list field holds and how many it is, and false if the value is no list.
	elements() (list iter.Seq2[int, source], count int, ok bool)
	// fields returns what an object holds and how much it is. Sources without an order of their own yield names first.
	fields(names []string) (list iter.Seq2[string, source], count int)
	// has reports whether an object has a field.
	has(name string) bool
	// scalar decodes the value into a type that reads its values itself. It reports false for any other type.
	scalar(into any) (ok bool, err error)
}

// read is JSON that ecmajson has read.
type read ecmajson.Value

func (r *read) value() ecmajson.Value { return ecmajson.Value(*r) }

func (r *read) kind() ecmajson.Kind { return r.value().Kind() }

func (r *read) text() (string, bool) { return r.value().Text(), r.kind() == ecmajson.String }

func (r *read) truth() bool { return r.value().Bool() }

func (r *read) number() string { return r.value().Number() }

func (r *read) elements() (iter.Seq2[int, source], int, bool) {
	elements := r.value().Elements()
	return func(yield func(int, source) bool) {
		for i := range elements {
			if !yield(i, (*read)(&elements[i])) {
				return
			}
		}
	}, len(elements), r.kind() == ecmajson.Array
}

// fields yields them in the order in which they were sent.
func (r *read) fields([]string) (iter.Seq2[string, source], int) {
	members := r.value().Members()
	return func(yield func(string, source) bool) {
		for i := range members {
			if !yield(members[i].Name, (*read)(&members[i].Value)) {
				return
			}
		}
	}, len(members)
}

func (r *read) has(name string) bool {
	_, sent := r.value().Member(name)
	return sent
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
