package document

import (
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Rewrite returns a checked document with objects replaced by f. It calls f for each object that has a table, inner
// ones first. f returns the replacement, or false to keep the object.
func (d *Definition) Rewrite(
	path string, document ecmajson.Value, f func(path string, of *Definition, object ecmajson.Value) (ecmajson.Value, bool),
) ecmajson.Value {
	changed, _ := d.rewrite(path, document, f)
	return changed
}

type rewriter = func(path string, of *Definition, object ecmajson.Value) (ecmajson.Value, bool)

func (d *Definition) rewrite(path string, document ecmajson.Value, f rewriter) (ecmajson.Value, bool) {
	document, inner := rewriteFields(document, func(field ecmajson.Field) (ecmajson.Value, bool) {
		row, known := d.Field(field.Name)
		if !known || row.Type.inner().Object == nil {
			return field.Value, false
		}
		return row.Type.rewrite(domain.FieldPath(path, field.Name), field.Value, f)
	})
	changed, outer := f(path, d, document)
	if !outer {
		return document, inner
	}
	return changed, true
}

// rewriteFields returns an object with the field values that each returns. It copies nothing unless a value changes.
func rewriteFields(
	object ecmajson.Value, each func(ecmajson.Field) (ecmajson.Value, bool),
) (value ecmajson.Value, changed bool) {
	fields := object.Fields()
	for i, field := range fields {
		value, differs := each(field)
		if differs && !changed {
			fields, changed = slices.Clone(fields), true
		}
		if differs {
			fields[i].Value = value
		}
	}
	if !changed {
		return object, false
	}
	return ecmajson.NewObject(fields), true
}

// rewrite rewrites the objects within a value of the type.
func (t Type) rewrite(path string, value ecmajson.Value, f rewriter) (ecmajson.Value, bool) {
	switch t.Kind { //nolint:exhaustive // no other kind has objects
	case Object:
		return t.Object.rewrite(path, value, f)
	case Array:
		elements, changed := value.Elements(), false
		for i, element := range elements {
			created, differs := t.Element.rewrite(domain.IndexPath(path, i), element, f)
			if differs && !changed {
				elements, changed = slices.Clone(elements), true
			}
			if differs {
				elements[i] = created
			}
		}
		if !changed {
			return value, false
		}
		return ecmajson.NewArray(elements), true
	}
	return rewriteFields(value, func(field ecmajson.Field) (ecmajson.Value, bool) {
		return t.Element.rewrite(domain.FieldPath(path, field.Name), field.Value, f)
	})
}

// With returns a checked document with a field set, in the order of the definition. Null removes the field (VALUE-4).
func (d *Definition) With(document ecmajson.Value, name string, value ecmajson.Value) ecmajson.Value {
	place, last, placed := d.index[name], 0, value.Kind() == ecmajson.Null
	fields := make([]ecmajson.Field, 0, len(document.Fields())+1)
	for _, field := range document.Fields() {
		at, known := d.index[field.Name]
		if !known {
			at = len(d.Members)
		}
		if at < last {
			return d.reordered(document, name, value)
		}
		if last = at; at > place && !placed {
			fields, placed = append(fields, ecmajson.Field{Name: d.names[place], Value: value}), true
		}
		if at != place && (!known || field.Value.Kind() != ecmajson.Null) {
			fields = append(fields, field)
		}
	}
	if !placed {
		fields = append(fields, ecmajson.Field{Name: d.names[place], Value: value})
	}
	return ecmajson.NewObject(fields)
}

// reordered is With for a document whose fields are not in the order of the definition.
func (d *Definition) reordered(document ecmajson.Value, name string, value ecmajson.Value) ecmajson.Value {
	fields := make([]ecmajson.Field, len(d.Members))
	var other []ecmajson.Field
	for _, field := range document.Fields() {
		if i, known := d.index[field.Name]; known {
			fields[i] = field
		} else {
			other = append(other, field)
		}
	}
	fields[d.index[name]].Value = value
	return d.Object(fields, other)
}

// Object returns an object with members in the order of the definition, followed by further. members has an entry for
// each row of the table. Null ones are left out. Object takes ownership of members.
func (d *Definition) Object(fields, other []ecmajson.Field) ecmajson.Value {
	kept := fields[:0]
	for i, field := range fields {
		if field.Value.Kind() != ecmajson.Null {
			kept = append(kept, ecmajson.Field{Name: d.names[i], Value: field.Value})
		}
	}
	// The slice is copied so that a small document does not retain the capacity of all rows.
	return ecmajson.NewObject(slices.Concat(kept, other))
}

// Excluded reports whether the field at index i is not allowed with its sibling's value. members has an entry for each
// row of the table. It ignores a sibling that is missing or invalid, which is a fault already.
func (d *Definition) Excluded(i int, fields []ecmajson.Field) bool {
	only := d.Members[i].Only
	if only == nil {
		return false
	}
	sibling := d.index[only.Member]
	value, names := fields[sibling].Value, d.Members[sibling].Type.Names
	text := value.Text()
	if d.Members[sibling].Type.Kind == IntegerEnumeration {
		text = value.Number()
	}
	return text != only.Value && slices.Contains(names, text)
}
