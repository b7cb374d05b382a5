package document

import (
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Rewrite returns a checked document in which f has changed objects: it is called with each object that the definition
// has a table for, inner ones first, and returns what stands in its place, or false to leave it as it is.
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

// rewriteMembers returns an object with the members' values that each returns; it copies nothing unless one is changed.
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

// rewrite is for a type with objects that the definition has a table for.
func (t Type) rewrite(path string, value ecmajson.Value, f rewriter) (ecmajson.Value, bool) {
	switch t.Kind { //nolint:exhaustive // nothing else has objects
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

// With returns a checked document with one member set, at its place in the definition's order. Null takes the member away
// (decisions 1.3).
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

// reordered is With for a document whose members are not in the definition's order.
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

// Object returns an object of members in the definition's order, with further ones behind them. It takes over members, which
// has one for each row of the table: those that are null are not there.
func (d *Definition) Object(members, further []ecmajson.Member) ecmajson.Value {
	kept := members[:0]
	for i, member := range members {
		if member.Value.Kind() != ecmajson.Null {
			kept = append(kept, ecmajson.Member{Name: d.names[i], Value: member.Value})
		}
	}
	// A document of few members must not keep the room of all.
	return ecmajson.NewObject(slices.Concat(kept, further))
}

// Excluded reports whether a member is there that another one's value does not allow. members has one for each row of the
// table. A value that is missing or wrong is a fault already.
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
