package ecmajson

import (
	"slices"
	"strings"
)

// Kind is one of the six kinds of JSON value.
type Kind uint8

// The kinds of JSON value. The zero Value is Null.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of the kind.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// InWords returns the kind as an error message names it: "a number".
func (k Kind) InWords() string {
	return [...]string{"null", "true or false", "a number", "a string", "an array", "an object"}[k]
}

// Value is a JSON value that passed every rule of this package.
//
// It is small, and safe to copy and to use concurrently. Its strings may point into one copy of the text that was read,
// so a kept Value keeps that whole text in memory.
type Value struct {
	kind Kind
	// text is the decoded text of a String and the print of a Number or Bool.
	text string
	// node is nil for scalars and for empty arrays and objects.
	node *node
}

// node holds what only arrays and objects have, which keeps Value at 32 bytes.
type node struct {
	elements []Value
	fields   []Field
	// printed has the members in ECMAScript's order. It is the same slice as members unless an integer-like name is out
	// of order.
	printed []Field
	depth   int
	size    int
}

// Field is a name of an object with its value.
type Field struct {
	Name  string
	Value Value
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// Bool returns the value of a Bool, and false for every other kind.
func (v Value) Bool() bool { return v.kind == Bool && v.text == "true" }

// Text returns the decoded text of a String, and "" for every other kind.
func (v Value) Text() string {
	if v.kind != String {
		return ""
	}
	return v.text
}

// Number returns the ECMAScript print of a Number, and "" for every other kind.
func (v Value) Number() string {
	if v.kind != Number {
		return ""
	}
	return v.text
}

// Elements returns the elements of an Array in order. All copies of the value share the slice, which must not be
// changed.
func (v Value) Elements() []Value {
	if v.node == nil {
		return nil
	}
	return v.node.elements
}

// Fields returns the members of an Object in the order written. All copies of the value share the slice, which must
// not be changed.
func (v Value) Fields() []Field {
	if v.node == nil {
		return nil
	}
	return v.node.fields
}

// Field returns the member of an Object with exactly this name.
func (v Value) Field(name string) (Value, bool) {
	for _, field := range v.Fields() {
		if field.Name == name {
			return field.Value, true
		}
	}
	return Value{}, false
}

// SortFields sorts the members of all objects by name, the order of FromGo: a GraphQL value keeps no other. It changes
// every copy of the value, so only the code that has just read the value may call it.
func (v Value) SortFields() {
	if v.node == nil {
		return
	}
	for _, element := range v.node.elements {
		element.SortFields()
	}
	for _, field := range v.node.fields {
		field.Value.SortFields()
	}
	byName := func(a, b Field) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(v.node.fields, byName) {
		slices.SortFunc(v.node.fields, byName)
		v.node.printed = printOrder(v.node.fields)
	}
}

// Depth returns the nesting of arrays and objects: 0 for a scalar, 1 for an empty object.
func (v Value) Depth() int {
	switch {
	case v.kind != Array && v.kind != Object:
		return 0
	case v.node == nil:
		return 1
	}
	return v.node.depth
}

// Size returns the approximate length of the print in constant time; escapes are not counted.
func (v Value) Size() int {
	if v.node == nil {
		return len(v.text) + len("null")
	}
	return v.node.size
}

// newArray takes ownership of elements. It counts depth and size once.
func newArray(elements []Value) Value {
	if len(elements) == 0 {
		return Value{kind: Array}
	}
	inner, size := 0, 0
	for _, element := range elements {
		inner, size = max(inner, element.Depth()), size+element.Size()+len(",")
	}
	return Value{kind: Array, node: &node{elements: elements, depth: inner + 1, size: size}}
}

// newObject takes ownership of members, whose names must differ.
func newObject(fields []Field) Value {
	if len(fields) == 0 {
		return Value{kind: Object}
	}
	inner, size := 0, 0
	for _, field := range fields {
		inner, size = max(inner, field.Value.Depth()), size+len(field.Name)+field.Value.Size()+len(`"":,`)
	}
	return Value{kind: Object, node: &node{fields: fields, printed: printOrder(fields), depth: inner + 1, size: size}}
}

// newBool keeps the print as text for Append.
func newBool(truth bool) Value {
	if truth {
		return Value{kind: Bool, text: "true"}
	}
	return Value{kind: Bool, text: "false"}
}
