package scan

import (
	"slices"
	"strings"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ticket"
)

// contact lists the fields that a restricted device must not see, anywhere in a ticket and whatever their case. The
// open parts (extraFields, personalizations, history) can contain contact details too (GATE-14).
var contact = []string{"email", "phone", "street", "line2"}

// WithoutContact returns a ticket without contact details, for restricted devices. The rest is unchanged.
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
		fields := slices.DeleteFunc(slices.Clone(value.Fields()), func(field ecmajson.Field) bool {
			return slices.Contains(contact, strings.ToLower(field.Name))
		})
		for i := range fields {
			fields[i].Value = withoutContact(fields[i].Value)
		}
		return ecmajson.NewObject(fields)
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
