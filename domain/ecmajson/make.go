package ecmajson

import "strings"

// NewObject makes an Object of members, whose names must differ and be valid UTF-8 without NUL, as those of any Value
// are. It takes the slice over: nobody may change it afterwards.
func NewObject(members []Member) Value { return newObject(members) }

// NewArray makes an Array of elements, and takes the slice over.
func NewArray(elements []Value) Value { return newArray(elements) }

// NewString makes a String. What no Value may hold is taken out: NUL, and bytes that are no UTF-8.
func NewString(text string) Value {
	if checkText(text) != 0 {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	}
	return Value{kind: String, text: text}
}

// Equal tells whether two values are the same to ECMAScript: the order of an object's members does not count
// (decisions 1.6).
func (v Value) Equal(other Value) bool {
	if v.kind != other.kind || v.text != other.text {
		return false
	}
	mine, others := v.Elements(), other.Elements()
	if len(mine) != len(others) || len(v.Members()) != len(other.Members()) {
		return false
	}
	for i := range mine {
		if !mine[i].Equal(others[i]) {
			return false
		}
	}
	return equalMembers(v.Members(), other.Members())
}

// equalMembers compares objects with as many members. Mostly they stand in the same order; where they do not, a map
// keeps the work linear.
func equalMembers(mine, others []Member) bool {
	var named map[string]Value
	for i, member := range mine {
		if named == nil && member.Name == others[i].Name {
			if !member.Value.Equal(others[i].Value) {
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
		other, ok := named[member.Name]
		if !ok || !member.Value.Equal(other) {
			return false
		}
	}
	return true
}
