package ecmajson

import "strings"

// NewObject returns an Object of members, whose names must differ and be valid UTF-8 without NUL. It takes ownership of
// the slice.
func NewObject(fields []Field) Value { return newObject(fields) }

// NewArray returns an Array of elements. It takes ownership of the slice.
func NewArray(elements []Value) Value { return newArray(elements) }

// NewString returns a String. It replaces NUL and invalid UTF-8, which no Value may contain.
func NewString(text string) Value {
	if checkText(text) != 0 {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	}
	return Value{kind: String, text: text}
}

// Equal reports whether two values are equal in ECMAScript. The order of an object's members does not matter.
func (v Value) Equal(other Value) bool {
	if v.kind != other.kind || v.text != other.text {
		return false
	}
	mine, others := v.Elements(), other.Elements()
	if len(mine) != len(others) || len(v.Fields()) != len(other.Fields()) {
		return false
	}
	for i := range mine {
		if !mine[i].Equal(others[i]) {
			return false
		}
	}
	return equalFields(v.Fields(), other.Fields())
}

// equalFields reports whether two objects with the same number of members are equal. Usually they are in the same
// order; otherwise a map keeps the work linear.
func equalFields(mine, others []Field) bool {
	var named map[string]Value
	for i, field := range mine {
		if named == nil && field.Name == others[i].Name {
			if !field.Value.Equal(others[i].Value) {
				return false
			}
			continue
		}
		if named == nil {
			named = make(map[string]Value, len(others))
			for _, other := range others {
				named[other.Name] = other.Value
			}
		}
		other, ok := named[field.Name]
		if !ok || !field.Value.Equal(other) {
			return false
		}
	}
	return true
}
