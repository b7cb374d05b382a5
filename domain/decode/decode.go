package decode

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Object fills the struct that into points to from a JSON object, and notes every fault. Fields in readOnly are ignored:
// a caller may send a record back as it was read. Any other unknown field is refused with the nearest name.
func Object(p *domain.Problems, object ecmajson.Value, into any, readOnly map[string]bool) {
	decodeStruct(p, "", object, reflect.ValueOf(into).Elem(), readOnly)
}

// optional is what *domain.Optional[T] offers to a decoder.
type optional interface {
	Present() any
	Clear()
}

func decodeStruct(p *domain.Problems, path string, object ecmajson.Value, into reflect.Value, readOnly map[string]bool) {
	if object.Kind() != ecmajson.Object {
		p.Add(path, "must be an object")
		return
	}
	fields := fieldsOf(into.Type())
	for _, member := range object.Members() {
		field, ok := fields.named[member.Name]
		switch {
		case ok:
			decodeField(p, domain.JoinPath(path, member.Name), member.Value, into.FieldByIndex(field.index), field.required)
		case !readOnly[member.Name]:
			refuseUnknown(p, path, member.Name, fields.names)
		}
	}
	for _, name := range fields.names {
		if _, sent := object.Member(name); !sent && fields.named[name].required {
			p.Add(domain.JoinPath(path, name), "is required")
		}
	}
}

func decodeField(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value, required bool) {
	if field, ok := reflect.TypeAssert[optional](into.Addr()); ok {
		if value.Kind() == ecmajson.Null {
			field.Clear()
			return
		}
		decodeValue(p, path, value, reflect.ValueOf(field.Present()).Elem())
		return
	}
	if value.Kind() == ecmajson.Null {
		if required {
			p.Add(path, "is required and must not be null")
		}
		return
	}
	decodeValue(p, path, value, into)
}

func decodeValue(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	switch target := into.Addr().Interface().(type) {
	case *ecmajson.Value:
		*target = value
		return
	case json.Unmarshaler:
		if err := target.UnmarshalJSON(value.Print()); err != nil {
			p.Add(path, err.Error())
		}
		return
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		decodeValue(p, path, value, into.Elem())
	case reflect.Struct:
		decodeStruct(p, path, value, into, nil)
	case reflect.Slice:
		decodeSlice(p, path, value, into)
	case reflect.Map:
		decodeMap(p, path, value, into)
	default:
		decodeScalar(p, path, value, into)
	}
}

func decodeSlice(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	if value.Kind() != ecmajson.Array {
		p.Add(path, "must be an array")
		return
	}
	elements := value.Elements()
	into.Set(reflect.MakeSlice(into.Type(), len(elements), len(elements)))
	for i, element := range elements {
		decodeField(p, domain.IndexPath(path, i), element, into.Index(i), true)
	}
}

// maxMapEntries is far above what any map of an input needs.
const maxMapEntries = 1000

func decodeMap(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	if value.Kind() != ecmajson.Object {
		p.Add(path, "must be an object")
		return
	}
	if !p.Count(path, len(value.Members()), maxMapEntries) {
		return
	}
	kind := into.Type()
	into.Set(reflect.MakeMap(kind))
	for _, member := range value.Members() {
		element := reflect.New(kind.Elem()).Elem() // null is no value: it stays zero
		decodeField(p, fmt.Sprintf("%s[%q]", path, member.Name), member.Value, element, false)
		into.SetMapIndex(reflect.ValueOf(member.Name).Convert(kind.Key()), element)
	}
}

func refuseUnknown(p *domain.Problems, path, name string, known []string) {
	const longest = 64 // of what is repeated to its sender
	full := domain.JoinPath(path, domain.Shorten(name, longest))
	if len(known) == 0 {
		p.Add(full, "is not known; this request takes no members")
		return
	}
	if p.Full() {
		p.Add(full, "is not known")
		return
	}
	if nearest, ok := domain.Nearest(name, known); ok {
		p.AddHint(full, "is not known", fmt.Sprintf("did you mean %q?", nearest))
		return
	}
	p.Add(full, "is not known; the members are "+strings.Join(known, ", "))
}
