package document

import (
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
			members[i].Value = row.Type.rewrite(memberPath(path, member.Name), member.Value, f)
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
		members[i] = ecmajson.Member{Name: member.Name, Value: t.Element.rewrite(memberPath(path, member.Name), member.Value, f)}
	}
	return ecmajson.NewObject(members)
}
