package document

import (
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Rewrite returns a checked document in which f has changed objects: it is called with each object that the definition
// has a table for, inner ones first, and returns what stands in its place.
func (d *Definition) Rewrite(
	path string, document ecmajson.Value, f func(path string, of *Definition, object ecmajson.Value) ecmajson.Value,
) ecmajson.Value {
	members := make([]ecmajson.Member, len(document.Members()))
	for i, member := range document.Members() {
		members[i] = member
		if row, known := d.Member(member.Name); known {
			members[i].Value = row.Type.rewrite(domain.MemberPath(path, member.Name), member.Value, f)
		}
	}
	return f(path, d, ecmajson.NewObject(members))
}

func (t Type) rewrite(
	path string, value ecmajson.Value, f func(string, *Definition, ecmajson.Value) ecmajson.Value,
) ecmajson.Value {
	switch {
	case t.inner().Object == nil:
		return value
	case t.Kind == Object:
		return t.Object.Rewrite(path, value, f)
	case t.Kind == Array:
		elements := make([]ecmajson.Value, len(value.Elements()))
		for i, element := range value.Elements() {
			elements[i] = t.Element.rewrite(domain.IndexPath(path, i), element, f)
		}
		return ecmajson.NewArray(elements)
	}
	members := make([]ecmajson.Member, len(value.Members()))
	for i, member := range value.Members() {
		members[i] = ecmajson.Member{Name: member.Name, Value: t.Element.rewrite(domain.MemberPath(path, member.Name), member.Value, f)}
	}
	return ecmajson.NewObject(members)
}

// With returns a checked document with one member set, at its place in the definition's order. Null takes the member away
// (decisions 1.3).
func (d *Definition) With(document ecmajson.Value, name string, value ecmajson.Value) ecmajson.Value {
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
	return ecmajson.NewObject(append(kept, further...))
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
