package document

import (
	"strings"

	"ticketgate/domain/ecmajson"
)

// Definition is a resource, or an object inside one, as a table of its members in the specification's order.
type Definition struct {
	// Name is the Go type's, such as Ticket.
	Name    string
	Members []Member
	// Open says that an object may have members beyond the table: they are kept as they come, behind the others.
	Open bool

	index map[string]int
	names []string
}

// Member is one row of the table.
type Member struct {
	// Name is the member's name on the wire.
	Name string
	Type Type
	// Required members are part of every document of the resource.
	Required bool
	// Made says that the service fills a required member in when what is handed in lacks it.
	Made bool
	// Only is not nil for a member that belongs to one variant of the object.
	Only *Condition
}

// Condition names the sibling's value beside which a member is allowed.
type Condition struct{ Member, Value string }

// Kind says what sort of value a member holds.
type Kind uint8

// The kinds of value.
const (
	// Any is any JSON value, null included.
	Any Kind = iota
	// Free is any object within the limits of decisions 1.6.
	Free
	Text
	// ID is text of 1 to 64 characters (decisions 1.1).
	ID
	UUID
	Email
	// Country is a code of ISO 3166-1 alpha-2, taken in either case and stored in upper case (TEXT-2).
	Country
	// CountryText is text that should be such a code; one is stored in upper case, other text trimmed (TEXT-2).
	CountryText
	DateTime
	// SlotTime is a date-time that also comes without seconds or with a basic offset, or an empty text (IMPORT-5).
	SlotTime
	Boolean
	Decimal
	Integer
	// Enumeration is text of a fixed set, IntegerEnumeration an integer of one.
	Enumeration
	IntegerEnumeration
	// TextOrArray is one text or an array of them, kept as it comes.
	TextOrArray
	Array
	// Map is an object with names of the sender's own and values of one type.
	Map
	Object
)

var kindNames = [...]string{
	"any value", "object", "string", "id", "UUID", "e-mail", "country", "string", "date-time", "string", "boolean", "number", "integer",
	"enum", "enum", "string or array of string", "array", "object of", "object",
}

// String names the kind as a specification would.
func (k Kind) String() string { return kindNames[k] }

// JSON returns the kind of JSON value that has the kind, and how an error names it. Any value has Any.
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

// Type is what one member, or one element of it, holds.
type Type struct {
	Kind Kind
	// Names are the values of an enumeration.
	Names []string
	// Element is the type of an array's elements and of a map's values.
	Element *Type
	// Object is the table of an Object's members.
	Object *Definition
	// Longest is how many characters a text may have; Shortest is 0 or 1.
	Longest, Shortest int
}

// String says the type as a table of documentation would: `array of string`, `enum SINGLE, MULTI`.
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

// inner is the type itself or, of arrays and maps, what they hold.
func (t Type) inner() Type {
	for t.Element != nil {
		t = *t.Element
	}
	return t
}

// Definitions returns the definition and, once each, those of the objects inside it, in the order they are met: what a
// page of documentation or a schema prints one after the other.
func (d *Definition) Definitions() []*Definition {
	var all []*Definition
	met := map[string]bool{}
	var add func(*Definition)
	add = func(one *Definition) {
		if one == nil || met[one.Name] {
			return
		}
		met[one.Name] = true
		all = append(all, one)
		for _, member := range one.Members {
			add(member.Type.inner().Object)
		}
	}
	add(d)
	return all
}

// Member finds a row by its name on the wire.
func (d *Definition) Member(name string) (Member, bool) {
	i, ok := d.index[name]
	if !ok {
		return Member{}, false
	}
	return d.Members[i], true
}

// Index returns the names of all rows in the table's order, and the place of each name.
func (d *Definition) Index() (names []string, at map[string]int) { return d.names, d.index }
