package decode

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
)

// Object decodes a JSON object into the struct that into points to, and adds every fault. Fields in readOnly are
// ignored, so that a caller may send a record back as it was read. Any other unknown field is a fault that names the
// nearest known one.
func Object(faults *domain.FieldErrors, object ecmajson.Value, into any, readOnly map[string]bool) {
	d := decoder[variable]{faults: faults}
	d.parts("", (*read)(&object), variable{of: reflect.ValueOf(into).Elem(), readOnly: readOnly})
}

// OpenObject is Object for bodies sent by shops and devices: unknown fields are ignored at any depth. A field that
// differs from a known one in case only is a fault, because the known one was probably meant.
func OpenObject(faults *domain.FieldErrors, object ecmajson.Value, into any) {
	d := decoder[variable]{faults: faults}
	d.parts("", (*read)(&object), variable{of: reflect.ValueOf(into).Elem(), lenient: true})
}

// Field decodes one field of the struct that into points to, and adds the faults of its value. It reports whether the
// struct has the field. Readers with their own rules for names use it field by field.
func Field(faults *domain.FieldErrors, name string, value ecmajson.Value, into any) bool {
	whole := variable{of: reflect.ValueOf(into).Elem()}.open(0)
	_, index := whole.fields()
	i, known := index[name]
	if known {
		d := decoder[variable]{faults: faults}
		d.value(name, (*read)(&value), whole.part(i, name))
	}
	return known
}

// Extent says which fields of a document are required.
type Extent bool

// A Sent document may omit the fields that the service fills in. A Whole document must have them, because it is
// published as it is.
const (
	Sent  Extent = false
	Whole Extent = true
)

// Document adds the faults of a document and returns its normal form: fields in the order of the definition, date-times
// in UTC, and no nulls. The result is valid only if there were no faults.
func Document(
	faults *domain.FieldErrors, path string, of *document.Definition, value ecmajson.Value, extent Extent,
) ecmajson.Value {
	checked := value
	d := decoder[place]{faults: faults, document: true}
	whole := place{of: &document.Type{Kind: document.Object, Object: of}, into: &checked, extent: extent}
	d.parts(path, (*read)(&value), whole)
	return checked
}

// Free adds the faults of a value that must be null or an object within the limits of VALUE-5.
func Free(faults *domain.FieldErrors, path string, value ecmajson.Value) {
	d := decoder[place]{faults: faults, document: true}
	d.value(path, (*read)(&value), place{of: &document.Type{Kind: document.Free}, into: new(ecmajson.Value), nullable: true})
}

// target is the destination of a decoded value: a Go value, or a place in a document.
type target[T any] interface {
	// take consumes null, and values that the target's type decodes itself. Otherwise it returns the target for the
	// value.
	take(value source) (into T, taken bool, err error)
	// kind returns the kind that the target accepts otherwise.
	kind() document.Kind
	// scalar takes a value without parts and returns its fault, or "".
	scalar(value source) (message, hint string)
	// open returns the target with room for count parts. close completes it once they are filled.
	open(count int) T
	close(parts []sent)
	// part returns the target of an element, a map entry or a field of an object.
	part(i int, name string) T
	// fields returns the names of an object's fields and their indexes. ignores reports whether an unknown field is
	// allowed.
	fields() (names []string, at map[string]int)
	ignores(name string) bool
	// lacks returns the fault of a field that is missing or must not be sent, or "".
	lacks(i int, parts []sent) string
}

// decoder collects the faults of a value while it fills a target.
type decoder[T target[T]] struct {
	faults *domain.FieldErrors
	// document is true for documents. Their messages differ, and decoding stops at the maximum number of faults.
	document bool
	// coerced is true for values that gqlgen has checked against the schema.
	coerced bool
	// ruled is set once a value breaks a rule other than fitting its type.
	ruled bool
}

// add adds a fault for a value that breaks a rule.
func (d *decoder[T]) add(path, message, hint string) {
	d.ruled = true
	d.faults.AddHint(path, message, hint)
}

// full reports whether decoding stops.
func (d *decoder[T]) full() bool { return d.document && d.faults.Full() }

// value decodes a value that may be null: a field, an element or a map entry.
func (d *decoder[T]) value(path string, value source, into T) {
	into, taken, err := into.take(value)
	switch {
	case err != nil && d.coerced:
		d.refused(path, err)
	case err != nil:
		d.add(path, err.Error(), "")
	case !taken:
		d.parts(path, value, into)
	}
}

// refused adds the faults found by a type of the schema. Messages that are not meant for callers are not shown.
func (d *decoder[T]) refused(path string, err error) {
	var words interface{ ForCallers() string }
	if nested, ok := errors.AsType[*domain.Error](err); ok {
		d.ruled = d.ruled || !isMisfit(nested)
		d.faults.Under(path, nested)
	} else if errors.As(err, &words) {
		d.add(path, words.ForCallers(), "")
	} else {
		d.faults.Add(path, Misfit(err))
	}
}

// parts decodes a value into a target whose type does not decode itself.
func (d *decoder[T]) parts(path string, value source, into T) {
	kind := into.kind()
	hasParts := kind == document.Object || kind == document.Map || kind == document.Array
	switch wanted, words := kind.JSON(); {
	case !value.is(wanted) && hasParts && !d.document:
		d.add(path, "must be "+words, "")
	case !value.is(wanted):
		d.add(path, "must be "+words+", not "+value.kind().InWords(), "")
	case kind == document.Object:
		d.object(path, value, into)
	case kind == document.Map:
		d.list(path, value.fields(nil), into, true)
	case kind == document.Array:
		d.list(path, value.elements(), into, false)
	default:
		if message, hint := into.scalar(value); message != "" {
			d.add(path, message, hint)
		}
	}
}

func (d *decoder[T]) object(path string, object source, into T) {
	into = into.open(0)
	names, index := into.fields()
	parts := object.fields(names)
	for _, part := range parts {
		if d.full() {
			return
		}
		if i, known := index[part.name]; known {
			d.value(domain.JoinPath(path, part.name), part.value, into.part(i, part.name))
		} else if !into.ignores(part.name) {
			d.refuseUnknown(path, part.name, names)
		}
	}
	for i, name := range names {
		if fault := into.lacks(i, parts); fault != "" {
			d.add(domain.JoinPath(path, name), fault, "")
		}
	}
	into.close(parts)
}

// list decodes an array or a map.
func (d *decoder[T]) list(path string, parts []sent, into T, isMap bool) {
	const mostEntries = 1000 // far above what any map of an input needs
	if isMap && !d.document && !d.faults.Count(path, len(parts), mostEntries) {
		d.ruled = true
		return
	}
	into = into.open(len(parts))
	for i, part := range parts {
		if d.full() {
			return
		}
		var at string
		switch {
		case !isMap:
			at = domain.IndexPath(path, i)
		case d.document:
			at = domain.FieldPath(path, part.name)
		default:
			at = path + "[" + strconv.Quote(part.name) + "]"
		}
		d.value(at, part.value, into.part(i, part.name))
	}
	into.close(parts)
}

// refuseUnknown adds a fault for an unknown field, with the nearest known name. It does not search once the maximum
// number of faults is reached (LIMIT-11).
func (d *decoder[T]) refuseUnknown(path, name string, known []string) {
	const longest = 64 // maximum length of a sender's text in a message
	full := domain.JoinPath(path, texts.Shorten(name, longest))
	if d.faults.Full() {
		d.add(full, domain.UnknownField, "")
		return
	}
	hint := "The fields are " + strings.Join(known, ", ")
	if nearest, found := texts.Nearest(name, known); found {
		hint = fmt.Sprintf("Did you mean %q?", nearest)
	} else if len(known) == 0 {
		hint = "This request has no fields"
	}
	if d.document {
		full = domain.FieldPath(path, name)
	}
	d.add(full, domain.UnknownField, hint)
}
