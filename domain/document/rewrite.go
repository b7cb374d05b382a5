package document

import (
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Rewrite returns a checked document with objects replaced by f. It calls f for each object that has a table, inner
// ones first; f returns the replacement, or false to keep the object.
func (d *Definition) Rewrite(
	path string, document ecmajson.Value, f func(path string, of *Definition, object ecmajson.Value) (ecmajson.Value, bool),
) ecmajson.Value {
	changed, _ := d.rewrite(path, document, f)
	return changed
}

type rewriter = func(path string, of *Definition, object ecmajson.Value) (ecmajson.Value, bool)

func (d *Definition) rewrite(path string, document ecmajson.Value, f rewriter) (ecmajson.Value, bool) {
	document, inner := rewriteMembers(document, func(member ecmajson.Member) (ecmajson.Value, bool) {
		row, known := d.Member(member.Name)
		if !known || row.Type.inner().Object == nil {
			return member.Value, false
		}
		return row.Type.rewrite(domain.MemberPath(path, member.Name), member.Value, f)
	})
	changed, outer := f(path, d, document)
	if !outer {
		return document, inner
	}
	return changed, true
}

// rewriteMembers returns an object with the field values that each returns. It copies nothing unless a value changes.
func rewriteMembers(
	object ecmajson.Value, each func(ecmajson.Member) (ecmajson.Value, bool),
) (made ecmajson.Value, changed bool) {
	members := object.Members()
	for i, member := range members {
		value, differs := each(member)
		if differs && !changed {
			members, changed = slices.Clone(members), true
		}
		if differs {
			members[i].Value = value
		}
	}
	if !changed {
		return object, false
	}
	return ecmajson.NewObject(members), true
}

// rewrite rewrites the objects within a value of the type.
func (t Type) rewrite(path string, value ecmajson.Value, f rewriter) (ecmajson.Value, bool) {
	switch t.Kind { //nolint:exhaustive // no other kind has objects
	case Object:
		return t.Object.rewrite(path, value, f)
	case Array:
		elements, changed := value.Elements(), false
		for i, element := range elements {
			made, differs := t.Element.rewrite(domain.IndexPath(path, i), element, f)
			if differs && !changed {
				elements, changed = slices.Clone(elements), true
			}
			if differs {
				elements[i] = made
			}
		}
		if !changed {
			return value, false
		}
		return ecmajson.NewArray(elements), true
	}
	return rewriteMembers(value, func(member ecmajson.Member) (ecmajson.Value, bool) {
		return t.Element.rewrite(domain.MemberPath(path, member.Name), member.Value, f)
	})
}

// With returns a checked document with a field set, in the order of the definition. Null removes the field (VALUE-4).
func (d *Definition) With(document ecmajson.Value, name string, value ecmajson.Value) ecmajson.Value {
	place, last, placed := d.index[name], 0, value.Kind() == ecmajson.Null
	members := make([]ecmajson.Member, 0, len(document.Members())+1)
	for _, member := range document.Members() {
		at, known := d.index[member.Name]
		if !known {
			at = len(d.Members)
		}
		if at < last {
			return d.reordered(document, name, value)
		}
		if last = at; at > place && !placed {
			members, placed = append(members, ecmajson.Member{Name: d.names[place], Value: value}), true
		}
		if at != place && (!known || member.Value.Kind() != ecmajson.Null) {
			members = append(members, member)
		}
	}
	if !placed {
		members = append(members, ecmajson.Member{Name: d.names[place], Value: value})
	}
	return ecmajson.NewObject(members)
}

// reordered is With for a document whose fields are not in the order of the definition.
func (d *Definition) reordered(document ecmajson.Value, name string, value ecmajson.Value) ecmajson.Value {
	members := make([]ecmajson.Member, len(d.Members))
	var further []ecmajson.Member
	for _, member := range document.Members() {
		if i, known := d.index[member.Name]; known {
			members[i] = member
		} else {
			further = append(further, member)
		}
	}
	members[d.index[name]].Value = value
	return d.Object(members, further)
}

// Object returns an object with members in the order of the definition, followed by further. members has an entry for
// each row of the table; null ones are left out. Object takes ownership of members.
func (d *Definition) Object(members, further []ecmajson.Member) ecmajson.Value {
	kept := members[:0]
	for i, member := range members {
		if member.Value.Kind() != ecmajson.Null {
			kept = append(kept, ecmajson.Member{Name: d.names[i], Value: member.Value})
		}
	}
	// The slice is copied so that a small document does not retain the capacity of all rows.
	return ecmajson.NewObject(slices.Concat(kept, further))
}

// Excluded reports whether the field at index i is not allowed with its sibling's value. members has an entry for each
// row of the table. It ignores a sibling that is missing or invalid, which is a fault already.
func (d *Definition) Excluded(i int, members []ecmajson.Member) bool {
	only := d.Members[i].Only
	if only == nil {
		return false
	}
	sibling := d.index[only.Member]
	value, names := members[sibling].Value, d.Members[sibling].Type.Names
	text := value.Text()
	if d.Members[sibling].Type.Kind == IntegerEnumeration {
		text = value.Number()
	}
	return text != only.Value && slices.Contains(names, text)
}
