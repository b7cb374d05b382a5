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

// Object fills the struct that into points to from a JSON object, and notes every fault. Fields in readOnly are ignored:
// a caller may send a record back as it was read. Any other unknown field is refused with the nearest name.
func Object(faults *domain.Problems, object ecmajson.Value, into any, readOnly map[string]bool) {
	d := decoder[variable]{faults: faults}
	d.parts("", (*read)(&object), variable{of: reflect.ValueOf(into).Elem(), readOnly: readOnly})
}

// OpenObject is Object for what a shop or a device sends: unknown fields are ignored, at any depth. One that differs from a
// known field in case only is refused: one of the two is meant.
func OpenObject(faults *domain.Problems, object ecmajson.Value, into any) {
	d := decoder[variable]{faults: faults}
	d.parts("", (*read)(&object), variable{of: reflect.ValueOf(into).Elem(), lenient: true})
}

// Field fills one field of the struct that into points to, and notes what is wrong with the value. It reports false if the
// struct has no field of the name. A reader of many objects with rules of its own for names asks for one field at a time.
func Field(faults *domain.Problems, name string, value ecmajson.Value, into any) bool {
	whole := variable{of: reflect.ValueOf(into).Elem()}.open(0)
	_, index := whole.fields()
	i, known := index[name]
	if known {
		d := decoder[variable]{faults: faults}
		d.value(name, (*read)(&value), whole.part(i, name))
	}
	return known
}

// Extent is how much of a document is required.
type Extent bool

// Sent documents may lack the fields that the service fills in. Whole ones have these, too: others publish them as they are.
const (
	Sent  Extent = false
	Whole Extent = true
)

// Document notes what is wrong with a document, and returns it in the definition's order with normal date-times and without
// nulls. What it returns is of use only if nothing was noted.
func Document(
	faults *domain.Problems, path string, of *document.Definition, value ecmajson.Value, extent Extent,
) ecmajson.Value {
	checked := value
	d := decoder[place]{faults: faults, document: true}
	whole := place{of: &document.Type{Kind: document.Object, Object: of}, into: &checked, extent: extent}
	d.parts(path, (*read)(&value), whole)
	return checked
}

// Free notes what is wrong with a value that is null or any object within the limits of decisions 1.6.
func Free(faults *domain.Problems, path string, value ecmajson.Value) {
	d := decoder[place]{faults: faults, document: true}
	d.value(path, (*read)(&value), place{of: &document.Type{Kind: document.Free}, into: new(ecmajson.Value), nullable: true})
}

// target is what is filled from a value: a Go value, or a place in a document.
type target[T any] interface {
	// take takes null, and a value that the target's type reads itself. It returns the target that any other one is for.
	take(value source) (into T, taken bool, err error)
	// kind returns what the target takes otherwise.
	kind() document.Kind
	// scalar takes a value without parts, and returns what is wrong with it, if anything.
	scalar(value source) (message, hint string)
	// open returns the target with room for count parts, and close completes it once they are filled.
	open(count int) T
	close(parts []sent)
	// part returns the target of a part: an element, an entry of a map, a field of an object.
	part(i int, name string) T
	// fields returns the names of an object's fields and the place of each; ignores reports whether it may have another one.
	fields() (names []string, at map[string]int)
	ignores(name string) bool
	// lacks returns what is wrong with a field of an object beyond its value: that it was not sent, or must not be.
	lacks(i int, parts []sent) string
}

// decoder gathers what is wrong with a value while it fills a target from it.
type decoder[T target[T]] struct {
	faults *domain.Problems
	// document is true for documents. Their errors have words of their own, and reading ends at the maximum number of errors.
	document bool
	// coerced is true for values that gqlgen has compared with the schema.
	coerced bool
	// ruled is set once a fault breaks a rule of a value, rather than not fitting its type.
	ruled bool
}

// add notes that the value at path breaks a rule.
func (d *decoder[T]) add(path, message, hint string) {
	d.ruled = true
	d.faults.AddHint(path, message, hint)
}

// full reports whether reading ends.
func (d *decoder[T]) full() bool { return d.document && d.faults.Full() }

// value fills a target that may be null: a field, an element, an entry of a map.
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

// refused notes what a type of the schema found wrong. Words that are not meant for callers are not shown.
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

// parts fills a target of a type that does not read its values itself.
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

// list fills an array or a map.
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
			at = domain.MemberPath(path, part.name)
		default:
			at = path + "[" + strconv.Quote(part.name) + "]"
		}
		d.value(at, part.value, into.part(i, part.name))
	}
	into.close(parts)
}

// refuseUnknown notes a field that an object does not have, with the nearest name. Nothing is searched for once the maximum
// number of errors is reached (LIMIT-11).
func (d *decoder[T]) refuseUnknown(path, name string, known []string) {
	const longest = 64 // of what is repeated to its sender
	full := domain.JoinPath(path, texts.Shorten(name, longest))
	if d.faults.Full() {
		d.add(full, "is not known", "")
		return
	}
	nearest, found := texts.Nearest(name, known)
	members := strings.Join(known, ", ")
	switch {
	case d.document && found:
		d.add(domain.MemberPath(path, name), "is not a member of this object", fmt.Sprintf("Did you mean %q?", nearest))
	case d.document:
		d.add(domain.MemberPath(path, name), "is not a member of this object", "The members are "+members+".")
	case len(known) == 0:
		d.add(full, "is not known; this request takes no members", "")
	case found:
		d.add(full, "is not known", fmt.Sprintf("did you mean %q?", nearest))
	default:
		d.add(full, "is not known; the members are "+members, "")
	}
}
