package document

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// Enum is a string or integer type with a fixed set of values. Names returns them as on the wire, in the order of the
// API reference.
type Enum interface{ Names() []string }

// The default maximum lengths of texts and ids.
const (
	maxText = 10_000
	maxID   = 64
)

// Read returns the definition of a struct from its fields and tags. It panics on a field whose type has no JSON form:
// that is a programming error, and Read runs when the program starts.
func Read[T any]() *Definition { return read(reflect.TypeFor[T]()) }

// ReadOpen is Read for a resource of which only a part is known. Unknown fields are kept as sent.
func ReadOpen[T any]() *Definition {
	definition := Read[T]()
	definition.Open = true
	return definition
}

func read(of reflect.Type) *Definition {
	definition := &Definition{Name: of.Name(), index: map[string]int{}}
	definition.add(of)
	return definition
}

// add adds a row for each field. Fields of an embedded struct are added in its place.
func (d *Definition) add(of reflect.Type) {
	for field := range of.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			d.add(field.Type)
		case name == "" || name == "-":
			panic(fmt.Sprintf("document: %s.%s has no name on the wire", of, field.Name))
		default:
			member := fieldOf(field, name, options)
			d.index[name] = len(d.Members)
			d.Members, d.names = append(d.Members, member), append(d.names, name)
		}
	}
}

func fieldOf(field reflect.StructField, name, options string) Field {
	member := Field{Name: name, Type: typeOf(field.Type), Required: !strings.Contains(options, "omitempty")}
	inner := innermost(&member.Type)
	for word := range strings.FieldsSeq(field.Tag.Get("document")) {
		if !member.take(inner, word) {
			panic(fmt.Sprintf("document: the field %s has the unknown option %q", field.Name, word))
		}
	}
	return member
}

// innermost returns the type that a tag's words apply to: for an array, the type of its elements.
func innermost(t *Type) *Type {
	for t.Element != nil {
		t = t.Element
	}
	return t
}

// take applies one word of the document tag and reports whether it is valid.
func (m *Field) take(inner *Type, word string) bool {
	word, argument, _ := strings.Cut(word, "=")
	switch {
	case word == "made":
		m.Made = true
	case word == "only":
		sibling, value, _ := strings.Cut(argument, ":")
		m.Only = &Condition{sibling, value}
	case word == "object" && inner.Kind == Any:
		inner.Kind = Free
	default:
		return inner.Kind == Text && takeForm(inner, word, argument)
	}
	return true
}

// takeForm applies one word for the form of a text and reports whether it is valid.
func takeForm(t *Type, word, argument string) bool {
	switch word {
	case "id":
		*t = Type{Kind: ID, Longest: maxID, Shortest: 1}
	case "uuid":
		t.Kind = UUID
	case "email":
		t.Kind = Email
	case "country":
		t.Kind = Country
	case "countrytext":
		t.Kind = CountryText
	case "slottime":
		t.Kind = SlotTime
	case "filled":
		t.Shortest = 1
	case "longest":
		t.Longest, _ = strconv.Atoi(argument)
	default:
		return false
	}
	return true
}

// wireTypes maps Go types to their types on the wire.
var wireTypes = map[reflect.Type]Type{
	reflect.TypeFor[moment.DateTime](): {Kind: DateTime},
	reflect.TypeFor[Number]():          {Kind: Decimal},
	reflect.TypeFor[Texts]():           {Kind: TextOrArray, Longest: maxID, Shortest: 1},
	reflect.TypeFor[ecmajson.Value]():  {Kind: Any},
}

func typeOf(of reflect.Type) Type {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if wire, ok := wireTypes[of]; ok {
		return wire
	}
	if enum, ok := reflect.TypeAssert[Enum](reflect.Zero(of)); ok {
		return enumType(of, enum)
	}
	switch of.Kind() { //nolint:exhaustive // every other kind is refused below
	case reflect.String:
		return Type{Kind: Text, Longest: maxText}
	case reflect.Bool:
		return Type{Kind: Boolean}
	case reflect.Int:
		return Type{Kind: Integer}
	case reflect.Slice:
		element := typeOf(of.Elem())
		return Type{Kind: Array, Element: &element}
	case reflect.Map:
		element := typeOf(of.Elem())
		return Type{Kind: Map, Element: &element}
	case reflect.Struct:
		return Type{Kind: Object, Object: read(of)}
	}
	panic(fmt.Sprintf("document: %s has no JSON form", of))
}

func enumType(of reflect.Type, enum Enum) Type {
	if of.Kind() == reflect.String {
		return Type{Kind: Enumeration, Names: enum.Names()}
	}
	return Type{Kind: IntegerEnumeration, Names: enum.Names()}
}
