package scan

import (
	"slices"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ticket"
)

// contact are the members of a ticket that a restricted device does not see (decisions 6.3).
var contact = []string{"email", "phone", "street"}

// WithoutContact is a ticket as restricted devices get it; everything else in it stays as it was handed in.
func WithoutContact(t ticket.Record) (ticket.Record, error) {
	whole, err := ecmajson.Parse(t.Document, ecmajson.Limits{})
	if err != nil {
		return ticket.Record{}, err
	}
	members := slices.DeleteFunc(slices.Clone(whole.Members()), func(member ecmajson.Member) bool {
		return slices.Contains(contact, member.Name)
	})
	return ticket.ReadRecord(ecmajson.NewObject(members).Append(nil))
}
