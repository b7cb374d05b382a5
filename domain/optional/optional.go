package optional

import (
	"errors"
	"io"
)

// Value is a member of a request that may be absent, null or set. Absent keeps the old value of a PUT, null
// clears an optional member (decisions 1.4).
type Value[T any] struct {
	Set   bool // the member was in the request
	Value *T   // nil when the member was null
}

// Some is a member that was sent with a value.
func Some[T any](value T) Value[T] { return Value[T]{Set: true, Value: &value} }

// Null is a member that was sent as null.
func Null[T any]() Value[T] { return Value[T]{Set: true} }

// FromPointer is a member that was sent: null when the pointer is nil.
func FromPointer[T any](value *T) Value[T] { return Value[T]{Set: true, Value: value} }

// Or returns the value when one was sent, the fallback when the member was absent or null.
func (o Value[T]) Or(fallback T) T {
	if o.Value != nil {
		return *o.Value
	}
	return fallback
}

// Apply returns what the old value becomes: itself when the member was absent, the zero value when it was null.
func (o Value[T]) Apply(old T) T {
	if !o.Set {
		return old
	}
	var none T
	return o.Or(none)
}

// ApplyPointer is Apply for an optional value that is kept as a pointer.
func (o Value[T]) ApplyPointer(old *T) *T {
	if !o.Set {
		return old
	}
	return o.Value
}

// IsNull tells whether the member was sent as null.
func (o Value[T]) IsNull() bool { return o.Set && o.Value == nil }

// Present marks the member as sent and returns where its value goes: readers of bodies fill it.
func (o *Value[T]) Present() any {
	o.Set, o.Value = true, new(T)
	return o.Value
}

// Clear marks the member as sent with null.
func (o *Value[T]) Clear() { o.Set, o.Value = true, nil }

// IsTrue reports whether an optional boolean was sent as true.
func IsTrue(said *bool) bool { return said != nil && *said }

// gqlgen takes a type for a field of an input only if it has the two methods below. It calls neither: an input with optional
// fields decodes itself (BODY-3).

// UnmarshalGQL reports an error.
func (*Value[T]) UnmarshalGQL(any) error { return errAlone }

// MarshalGQL writes null.
func (Value[T]) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, "null") }

var errAlone = errors.New("an optional field is decoded with the input that has it")
