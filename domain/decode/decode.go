package decode

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
)

// Object fills the struct that into points to from a JSON object, and notes every fault. Fields in readOnly are ignored:
// a caller may send a record back as it was read. Any other unknown field is refused with the nearest name.
func Object(faults *domain.Problems, object ecmajson.Value, into any, readOnly map[string]bool) {
	d := decoder{faults: faults}
	d.structure("", (*read)(&object), reflect.ValueOf(into).Elem(), readOnly)
}

// Field fills one field of the struct that into points to, and notes what is wrong with the value. It reports false if the
// struct has no field of the name. A reader of many objects with rules of its own for names asks for one field at a time.
func Field(faults *domain.Problems, name string, value ecmajson.Value, into any) bool {
	structure := reflect.ValueOf(into).Elem()
	field, known := fieldsOf(structure.Type(), false).named[name]
	if known {
		d := decoder{faults: faults}
		d.field(name, (*read)(&value), structure.FieldByIndex(field.index), field.required)
	}
	return known
}

// decoder gathers what is wrong with a value while it fills a Go value from it.
type decoder struct {
	faults *domain.Problems
	// coerced is true for values that gqlgen has compared with the schema: it decides which fields are required.
	coerced bool
	// ruled is set once a fault breaks a rule of a value, rather than not fitting its type.
	ruled bool
}

// add notes that the value at path breaks a rule.
func (d *decoder) add(path, message string) {
	d.ruled = true
	d.faults.Add(path, message)
}

// optional is what *domain.Optional[T] offers to a decoder.
type optional interface {
	Present() any
	Clear()
}

// structure fills a struct from an object.
func (d *decoder) structure(path string, object source, into reflect.Value, readOnly map[string]bool) {
	if object.kind() != ecmajson.Object {
		d.add(path, "must be an object")
		return
	}
	known := fieldsOf(into.Type(), d.coerced)
	sent, _ := object.fields(known.names)
	for name, value := range sent {
		field, ok := known.named[name]
		switch {
		case ok:
			d.field(domain.JoinPath(path, name), value, into.FieldByIndex(field.index), field.required)
		case !readOnly[name]:
			d.refuseUnknown(path, name, known.names)
		}
	}
	for _, name := range known.names {
		if known.named[name].required && !object.has(name) {
			d.add(domain.JoinPath(path, name), "is required")
		}
	}
}

// field fills what may be null: a field of a struct, an element, a value of a map.
func (d *decoder) field(path string, value source, into reflect.Value, required bool) {
	if field, ok := reflect.TypeAssert[optional](into.Addr()); ok {
		if value.kind() == ecmajson.Null {
			field.Clear()
			return
		}
		d.value(path, value, reflect.ValueOf(field.Present()).Elem())
		return
	}
	if value.kind() == ecmajson.Null {
		if required && !d.coerced {
			d.add(path, "is required and must not be null")
		}
		return
	}
	d.value(path, value, into)
}

// value fills a Go value from one that is not null.
func (d *decoder) value(path string, value source, into reflect.Value) {
	ok, err := value.scalar(into.Addr().Interface())
	switch {
	case !ok:
		d.parts(path, value, into)
	case err != nil && d.coerced:
		d.refused(path, err)
	case err != nil:
		d.add(path, err.Error())
	}
}

// refused notes what a type of the schema found wrong. Words that are not meant for callers are not shown.
func (d *decoder) refused(path string, err error) {
	var words interface{ ForCallers() string }
	if nested, ok := errors.AsType[*domain.Error](err); ok {
		d.ruled = d.ruled || !isMisfit(nested)
		d.faults.Under(path, nested)
	} else if errors.As(err, &words) {
		d.add(path, words.ForCallers())
	} else {
		d.faults.Add(path, WrongType)
	}
}

// parts fills a Go value of a type that does not read its values itself.
func (d *decoder) parts(path string, value source, into reflect.Value) {
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		d.value(path, value, into.Elem())
	case reflect.Struct:
		d.structure(path, value, into, nil)
	case reflect.Slice:
		d.slice(path, value, into)
	case reflect.Map:
		d.mapped(path, value, into)
	default:
		d.plain(path, value, into)
	}
}

func (d *decoder) slice(path string, value source, into reflect.Value) {
	elements, count, ok := value.elements()
	if !ok {
		d.add(path, "must be an array")
		return
	}
	into.Set(reflect.MakeSlice(into.Type(), count, count))
	for i, element := range elements {
		d.field(domain.IndexPath(path, i), element, into.Index(i), true)
	}
}

// maxMapEntries is far above what any map of an input needs.
const maxMapEntries = 1000

// mapped fills a map. Null is no value: the entry stays zero.
func (d *decoder) mapped(path string, value source, into reflect.Value) {
	if value.kind() != ecmajson.Object {
		d.add(path, "must be an object")
		return
	}
	entries, count := value.fields(nil)
	if count > maxMapEntries {
		d.ruled = true
	}
	if !d.faults.Count(path, count, maxMapEntries) {
		return
	}
	kind := into.Type()
	into.Set(reflect.MakeMap(kind))
	for name, entry := range entries {
		element := reflect.New(kind.Elem()).Elem()
		d.field(fmt.Sprintf("%s[%q]", path, name), entry, element, false)
		into.SetMapIndex(reflect.ValueOf(name).Convert(kind.Key()), element)
	}
}

func (d *decoder) refuseUnknown(path, name string, known []string) {
	const longest = 64 // of what is repeated to its sender
	full := domain.JoinPath(path, texts.Shorten(name, longest))
	if len(known) == 0 {
		d.add(full, "is not known; this request takes no members")
		return
	}
	if d.faults.Full() {
		d.add(full, "is not known")
		return
	}
	if nearest, ok := texts.Nearest(name, known); ok {
		d.ruled = true
		d.faults.AddHint(full, "is not known", fmt.Sprintf("did you mean %q?", nearest))
		return
	}
	d.add(full, "is not known; the members are "+strings.Join(known, ", "))
}
