package scan

import (
	"slices"
	"strings"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ticket"
)

// contact are the members that a restricted device does not see, in any case and wherever in a ticket they stand: its free parts
// (extraFields, personalizations, history) hold people's contacts, too (decisions 6.3).
var contact = []string{"email", "phone", "street", "line2"}

// WithoutContact is a ticket as restricted devices get it; everything else in it stays as it was handed in.
func WithoutContact(t ticket.Record) (ticket.Record, error) {
	whole, err := ecmajson.Parse(t.Document, ecmajson.Limits{})
	if err != nil {
		return ticket.Record{}, err
	}
	return ticket.ReadRecord(withoutContact(whole).Print())
}

func withoutContact(value ecmajson.Value) ecmajson.Value {
	switch value.Kind() {
	case ecmajson.Object:
		members := slices.DeleteFunc(slices.Clone(value.Members()), func(member ecmajson.Member) bool {
			return slices.Contains(contact, strings.ToLower(member.Name))
		})
		for i := range members {
			members[i].Value = withoutContact(members[i].Value)
		}
		return ecmajson.NewObject(members)
	case ecmajson.Array:
		elements := slices.Clone(value.Elements())
		for i := range elements {
			elements[i] = withoutContact(elements[i])
		}
		return ecmajson.NewArray(elements)
	default:
		return value
	}
}
