package optional

import (
	"errors"
	"io"
)

// Value is a request field that may be omitted, null or set. In a change, omission keeps the stored value and null
// clears it (VALUE-4).
type Value[T any] struct {
	Set   bool // the field was sent
	Value *T   // nil if the field was null
}

// Some returns a field that was sent with a value.
func Some[T any](value T) Value[T] { return Value[T]{Set: true, Value: &value} }

// Null returns a field that was sent as null.
func Null[T any]() Value[T] { return Value[T]{Set: true} }

// FromPointer returns a field that was sent, as null if the pointer is nil.
func FromPointer[T any](value *T) Value[T] { return Value[T]{Set: true, Value: value} }

// Or returns the value, or fallback if the field was omitted or null.
func (o Value[T]) Or(fallback T) T {
	if o.Value != nil {
		return *o.Value
	}
	return fallback
}

// Apply returns the new value for an old one: old if the field was omitted, the zero value if it was null.
func (o Value[T]) Apply(old T) T {
	if !o.Set {
		return old
	}
	var none T
	return o.Or(none)
}

// ApplyPointer is Apply for an optional value stored as a pointer.
func (o Value[T]) ApplyPointer(old *T) *T {
	if !o.Set {
		return old
	}
	return o.Value
}

// IsNull reports whether the field was sent as null.
func (o Value[T]) IsNull() bool { return o.Set && o.Value == nil }

// Present marks the field as sent and returns a pointer to its value, for decoders to fill.
func (o *Value[T]) Present() any {
	o.Set, o.Value = true, new(T)
	return o.Value
}

// Clear marks the field as sent with null.
func (o *Value[T]) Clear() { o.Set, o.Value = true, nil }

// IsTrue reports whether an optional boolean was sent as true.
func IsTrue(said *bool) bool { return said != nil && *said }

// gqlgen accepts a type for an input field only if it has these two methods. It calls neither, because an input with
// optional fields decodes itself (BODY-3).

// UnmarshalGQL returns an error.
func (*Value[T]) UnmarshalGQL(any) error { return errAlone }

// MarshalGQL writes null.
func (Value[T]) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, "null") }

var errAlone = errors.New("an optional field is decoded as part of its input")
