package decode

import (
	"fmt"
	"slices"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// place is a position in a document that the normal form of a value is written to.
type place struct {
	of     *document.Type
	into   *ecmajson.Value
	extent Extent
	// nullable places stay empty if null was sent.
	nullable bool
	// list holds the elements of an array. members holds the entries of a map, or a value for each row of an object's
	// definition. Missing values are null.
	list    []ecmajson.Value
	members []ecmajson.Field
}

// take stores the value as it was sent, unless it is null, so that an invalid value does not count as missing.
func (p place) take(value source) (place, bool, error) {
	if p.nullable && value.kind() == ecmajson.Null {
		return p, true, nil
	}
	_, err := value.scalar(p.into)
	if p.of.Kind == document.TextOrArray && value.kind() == ecmajson.Array {
		text := document.Type{Kind: document.ID, Shortest: p.of.Shortest, Longest: p.of.Longest}
		p.of = &document.Type{Kind: document.Array, Element: &text}
	}
	return p, p.of.Kind == document.Any, err
}

func (p place) kind() document.Kind { return p.of.Kind }

func (p place) scalar(source) (message, hint string) {
	*p.into, message, hint = p.of.Scalar(*p.into)
	return message, hint
}

func (p place) open(count int) place {
	switch p.of.Kind { //nolint:exhaustive // no other kind has parts
	case document.Array:
		p.list = make([]ecmajson.Value, count)
	case document.Map:
		p.members = make([]ecmajson.Field, count)
	case document.Object:
		p.members = make([]ecmajson.Field, len(p.of.Object.Members))
	}
	return p
}

// close keeps the fields that an open definition does not know as they were sent.
func (p place) close([]sent) {
	switch p.of.Kind { //nolint:exhaustive // no other kind has parts
	case document.Array:
		*p.into = ecmajson.NewArray(p.list)
	case document.Map:
		isNone := func(entry ecmajson.Field) bool {
			return entry.Value.Kind() == ecmajson.Null && p.of.Element.Kind != document.Any
		}
		*p.into = ecmajson.NewObject(slices.DeleteFunc(p.members, isNone))
	case document.Object:
		var other []ecmajson.Field
		if _, at := p.fields(); p.of.Object.Open {
			isKnown := func(f ecmajson.Field) bool { _, known := at[f.Name]; return known }
			other = slices.DeleteFunc(slices.Clone(p.into.Fields()), isKnown)
		}
		*p.into = p.of.Object.Object(p.members, other)
	}
}

func (p place) part(i int, name string) place {
	part := place{of: p.of.Element, extent: p.extent}
	switch p.of.Kind { //nolint:exhaustive // no other kind has parts
	case document.Array:
		part.into = &p.list[i]
	case document.Map:
		p.members[i].Name = name
		part.into, part.nullable = &p.members[i].Value, part.of.Kind != document.Any
	case document.Object:
		part.of, part.into, part.nullable = &p.of.Object.Members[i].Type, &p.members[i].Value, true
	}
	return part
}

func (p place) fields() (names []string, at map[string]int) { return p.of.Object.Index() }

func (p place) ignores(string) bool { return p.of.Object.Open }

func (p place) lacks(i int, _ []sent) string {
	f := &p.of.Object.Members[i]
	switch isSent := p.members[i].Value.Kind() != ecmajson.Null; {
	case !isSent && f.Required && (p.extent == Whole || !f.Made):
		return "is required"
	case isSent && p.of.Object.Excluded(i, p.members):
		return fmt.Sprintf("is allowed only with %s %s", f.Only.Member, f.Only.Value)
	}
	return ""
}
