package document

import (
	"strings"

	"ticketgate/domain/ecmajson"
)

// Definition describes a resource, or an object within one, as a table of its fields in the order of the API reference.
type Definition struct {
	// Name is the name of the Go type, such as Ticket.
	Name    string
	Members []Field
	// Open allows fields that are not in the table. They are kept as sent, after the others.
	Open bool

	index map[string]int
	names []string
}

// Field is a row of the table.
type Field struct {
	// Name is the name of the field on the wire.
	Name string
	Type Type
	// Required fields are part of every document of the resource.
	Required bool
	// Made is true if the service fills in the required field when it is omitted.
	Made bool
	// Only restricts the field to one variant of the object. It may be nil.
	Only *Condition
}

// Condition is the value of a sibling field that allows a field.
type Condition struct{ Member, Value string }

// Kind is the kind of value that a field holds.
type Kind uint8

// The kinds of value.
const (
	// Any is any JSON value, including null.
	Any Kind = iota
	// Free is any object within the limits of VALUE-5.
	Free
	Text
	// ID is text of 1 to 64 characters (VALUE-1).
	ID
	UUID
	Email
	// Country is an ISO 3166-1 alpha-2 code, accepted in either case and stored in upper case (TEXT-2).
	Country
	// CountryText is text that should be such a code. A code is stored in upper case, other text trimmed (TEXT-2).
	CountryText
	DateTime
	// SlotTime is a date-time that may lack seconds or have a basic offset, or an empty text (IMPORT-5).
	SlotTime
	Boolean
	Decimal
	Integer
	// Enumeration is text from a fixed set. IntegerEnumeration is an integer from one.
	Enumeration
	IntegerEnumeration
	// TextOrArray is one text or an array of texts, kept as sent.
	TextOrArray
	Array
	// Map is an object with arbitrary names and values of one type.
	Map
	Object
)

var kindNames = [...]string{
	"any value", "object", "string", "id", "UUID", "email", "country", "string", "date-time", "string", "boolean", "number", "integer",
	"enum", "enum", "string or array of string", "array", "object of", "object",
}

// String returns the name of the kind in documentation.
func (k Kind) String() string { return kindNames[k] }

// JSON returns the JSON kind of the kind's values, and its name in messages. It must not be called for Any.
func (k Kind) JSON() (kind ecmajson.Kind, words string) {
	switch k { //nolint:exhaustive // the others are texts of some form
	case Boolean:
		return ecmajson.Bool, "true or false"
	case Decimal:
		return ecmajson.Number, "a number"
	case Integer, IntegerEnumeration:
		return ecmajson.Number, "an integer"
	case TextOrArray:
		return ecmajson.String, "a string or an array of strings"
	case Array:
		return ecmajson.Array, "an array"
	case Free, Map, Object:
		return ecmajson.Object, "an object"
	}
	return ecmajson.String, "a string"
}

// Type is the type of a field or of its elements.
type Type struct {
	Kind Kind
	// Names are the values of an enumeration.
	Names []string
	// Element is the type of an array's elements or a map's values.
	Element *Type
	// Object is the table of an object's fields.
	Object *Definition
	// Longest is the maximum length of a text in characters. Shortest is 0 or 1.
	Longest, Shortest int
}

// String returns the type as documentation shows it: `array of string`, `enum SINGLE, MULTI`.
func (t Type) String() string {
	switch t.Kind {
	case Enumeration, IntegerEnumeration:
		return "enum " + strings.Join(t.Names, ", ")
	case Array:
		return "array of " + t.Element.String()
	case Map:
		return "object of " + t.Element.String()
	case Object:
		return t.Object.Name
	default:
		return t.Kind.String()
	}
}

// inner returns the type itself or, for arrays and maps, the type of their innermost elements.
func (t Type) inner() Type {
	for t.Element != nil {
		t = *t.Element
	}
	return t
}

// Definitions returns the definition and those of the objects within it, once each, in the order of their first use.
// Documentation and schemas print them in this order.
func (d *Definition) Definitions() []*Definition {
	var all []*Definition
	met := map[string]bool{}
	var add func(*Definition)
	add = func(definition *Definition) {
		if definition == nil || met[definition.Name] {
			return
		}
		met[definition.Name] = true
		all = append(all, definition)
		for _, field := range definition.Members {
			add(field.Type.inner().Object)
		}
	}
	add(d)
	return all
}

// Field returns the row with the name on the wire.
func (d *Definition) Field(name string) (Field, bool) {
	i, ok := d.index[name]
	if !ok {
		return Field{}, false
	}
	return d.Members[i], true
}

// Index returns the names of all rows in order, and the index of each name.
func (d *Definition) Index() (names []string, at map[string]int) { return d.names, d.index }
