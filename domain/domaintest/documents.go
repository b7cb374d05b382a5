package domaintest

import (
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// Break is a document with exactly one fault.
type Break struct {
	// Path is the path of the fault. Fault describes it in a few words.
	Path, Fault string
	Document    ecmajson.Value
}

// Document returns a valid document with every field of the definition. Of fields that exclude each other, it has those
// for the first value of their enumeration.
func Document(d *document.Definition) ecmajson.Value {
	fields := make([]ecmajson.Field, 0, len(d.Members))
	for _, field := range d.Members {
		if allowed(d, field) {
			fields = append(fields, ecmajson.Field{Name: field.Name, Value: sample(field.Type)})
		}
	}
	return ecmajson.NewObject(fields)
}

// allowed reports whether a field is allowed with the first value of the sibling that it depends on.
func allowed(d *document.Definition, field document.Field) bool {
	if field.Only == nil {
		return true
	}
	sibling, _ := d.Field(field.Only.Member)
	return sibling.Type.Names[0] == field.Only.Value
}

// JSON parses a valid text.
func JSON(text string) ecmajson.Value {
	value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
	if err != nil {
		panic(err)
	}
	return value
}

func sample(of document.Type) ecmajson.Value {
	switch of.Kind {
	case document.Any, document.Free:
		return JSON(`{"z":[1,null,"é"],"a":{"b":0.1}}`)
	case document.Boolean:
		return JSON(`false`)
	case document.Decimal:
		return JSON(`-10.5`)
	case document.Integer:
		return JSON(`9007199254740991`)
	case document.IntegerEnumeration:
		return JSON(of.Names[0])
	case document.Enumeration:
		return ecmajson.NewString(of.Names[0])
	case document.Array:
		return ecmajson.NewArray([]ecmajson.Value{sample(*of.Element)})
	case document.Map:
		return ecmajson.NewObject([]ecmajson.Field{{Name: "some name", Value: sample(*of.Element)}})
	case document.Object:
		return Document(of.Object)
	case document.UUID:
		return ecmajson.NewString("0194f5c0-7d5e-7abc-8def-0123456789ab")
	case document.Email:
		return ecmajson.NewString("ada@example.com")
	case document.Country, document.CountryText:
		return ecmajson.NewString("GB")
	case document.DateTime, document.SlotTime:
		return ecmajson.NewString("2026-11-27T20:37:00.120Z")
	case document.Text, document.ID, document.TextOrArray:
	}
	text := []rune("Ünïcode & <co>")
	return ecmajson.NewString(string(text[:min(len(text), max(of.Longest, 1))]))
}

// Breaks returns documents with one fault each, derived from Document: each required field missing, each field with an
// invalid kind, value, form or length, and each object with an unknown field.
func Breaks(d *document.Definition) []Break {
	var b breaker
	b.object("", d, Document(d), func(whole ecmajson.Value) ecmajson.Value { return whole })
	return b.breaks
}

type breaker struct{ breaks []Break }

// rebuild returns the whole document for a changed part.
type rebuild func(part ecmajson.Value) ecmajson.Value

func (b *breaker) add(path, fault string, whole ecmajson.Value) {
	b.breaks = append(b.breaks, Break{Path: path, Fault: fault, Document: whole})
}

func (b *breaker) object(path string, d *document.Definition, part ecmajson.Value, whole rebuild) {
	const unknown = "bogus"
	extra := append(slices.Clone(part.Fields()), ecmajson.Field{Name: unknown, Value: JSON("1")})
	b.add(domain.JoinPath(path, unknown), "unknown", whole(ecmajson.NewObject(extra)))
	for i, field := range part.Fields() {
		row, _ := d.Field(field.Name)
		at := domain.JoinPath(path, field.Name)
		if row.Required && !row.Made {
			without := slices.Delete(slices.Clone(part.Fields()), i, i+1)
			b.add(at, "missing", whole(ecmajson.NewObject(without)))
		}
		b.value(at, row.Type, field.Value, func(changed ecmajson.Value) ecmajson.Value {
			fields := slices.Clone(part.Fields())
			fields[i].Value = changed
			return whole(ecmajson.NewObject(fields))
		})
	}
}

func (b *breaker) value(path string, of document.Type, part ecmajson.Value, whole rebuild) {
	for _, wrong := range wrongValues(of) {
		b.add(path, "wrong value", whole(wrong))
	}
	switch of.Kind { //nolint:exhaustive // the other kinds have no parts
	case document.Object:
		b.object(path, of.Object, part, whole)
	case document.Array:
		b.value(domain.IndexPath(path, 0), *of.Element, part.Elements()[0], func(changed ecmajson.Value) ecmajson.Value {
			return whole(ecmajson.NewArray([]ecmajson.Value{changed}))
		})
	case document.Map:
		b.value(path+`["some name"]`, *of.Element, part.Fields()[0].Value, func(changed ecmajson.Value) ecmajson.Value {
			return whole(ecmajson.NewObject([]ecmajson.Field{{Name: "some name", Value: changed}}))
		})
	}
}

// wrongTexts holds invalid texts for each form.
var wrongTexts = map[document.Kind][]string{
	document.UUID:     {"", "0194f5c07d5e7abc8def0123456789ab", "0194f5c0-7d5e-7abc-8def-0123456789ag"},
	document.Email:    {"", "ada"},
	document.Country:  {"", "UK", "XX", "FRA", "France"},
	document.DateTime: {"", "2026-11-27", "2026-11-31T00:00:00Z", "1764275820"},
	document.SlotTime: {"noon", "2026-11-27T20:37", "2026-11-31T00:00Z", "2026-11-27T20:37+1"},
}

// wrongValues returns values that a field of the type must not have.
func wrongValues(of document.Type) []ecmajson.Value {
	text := func(texts ...string) []ecmajson.Value {
		values := make([]ecmajson.Value, 0, 2+len(texts))
		values = append(values, JSON(`1`), JSON(`["x"]`))
		for _, text := range texts {
			values = append(values, ecmajson.NewString(text))
		}
		return values
	}
	switch of.Kind {
	case document.Any:
		return nil
	case document.Free:
		return []ecmajson.Value{
			JSON(`[]`), JSON(strings.Repeat(`{"a":`, document.MaxFreeDepth+1) + "1" + strings.Repeat("}", document.MaxFreeDepth+1)),
			JSON(`{"a":"` + strings.Repeat("x", document.MaxFreeBytes) + `"}`),
		}
	case document.Boolean:
		return []ecmajson.Value{JSON(`"true"`), JSON(`1`)}
	case document.Decimal:
		return []ecmajson.Value{JSON(`"1"`), JSON(`true`)}
	case document.Integer:
		return []ecmajson.Value{JSON(`"1"`), JSON(`1.5`), JSON(`9007199254740992`), JSON(`1e21`)}
	case document.IntegerEnumeration:
		return []ecmajson.Value{JSON(`"` + of.Names[0] + `"`), JSON(`5`)}
	case document.Enumeration:
		return text("", "bogus", strings.ToLower(of.Names[0])+"!")
	case document.Array, document.Object, document.Map:
		return []ecmajson.Value{JSON(`"x"`), JSON(`7`)}
	case document.TextOrArray:
		return []ecmajson.Value{JSON(`1`), JSON(`{}`)}
	case document.UUID, document.Email, document.Country, document.DateTime, document.SlotTime:
		return text(wrongTexts[of.Kind]...)
	case document.Text, document.ID, document.CountryText:
	}
	return append(text(strings.Repeat("é", of.Longest+1)), text("")[2:2+of.Shortest]...)
}
