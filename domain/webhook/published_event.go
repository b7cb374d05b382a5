package webhook

import (
	"fmt"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// NewEvent is what the platform's other services say of an event (decisions 8.3).
type NewEvent struct {
	SellerID domain.SellerID  `json:"sellerId"`
	Type     domain.EventType `json:"type"`
	Data     ecmajson.Value   `json:"data"`
}

// PublishedEvent names the event that was stored.
type PublishedEvent struct {
	ID string `json:"id"`
}

// listMember is the one member of data that is an array of resources (decisions 7.5).
const listMember = "tickets"

// check compares data with the type's row of the table: an object that has the resource under its singular name, and
// nothing that receivers don't know. The tickets of a transaction may be left out; no identifier is looked up
// (decisions 1.1, 7.5).
func (e NewEvent) check() error {
	var problems domain.Problems
	kind, ok := e.Type.Kind()
	if !ok {
		refuseType(&problems, "type", e.Type)
		return problems.Err()
	}
	if e.Data.Kind() != ecmajson.Object {
		problems.Add("data", "must be an object with "+strings.Join(kind.Data, " and "))
		return problems.Err()
	}
	for _, name := range kind.Data {
		checkMember(&problems, e.Data, name)
	}
	for _, member := range e.Data.Members() {
		if !slices.Contains(kind.Data, member.Name) {
			problems.Add(domain.JoinPath("data", member.Name),
				fmt.Sprintf("is not part of %s; its members are %s", e.Type, strings.Join(kind.Data, ", ")))
		}
	}
	return problems.Err()
}

func checkMember(problems *domain.Problems, data ecmajson.Value, name string) {
	path := domain.JoinPath("data", name)
	value, sent := data.Member(name)
	switch {
	case !sent && name == listMember:
	case !sent:
		problems.Add(path, "is required")
	case name != listMember && value.Kind() != ecmajson.Object:
		problems.Add(path, "must be an object")
	case name == listMember && value.Kind() != ecmajson.Array:
		problems.Add(path, "must be an array of objects")
	}
	if name != listMember {
		return
	}
	for i, element := range value.Elements() {
		if element.Kind() != ecmajson.Object {
			problems.Add(domain.IndexPath(path, i), "must be an object")
		}
	}
}
