package webhook

import (
	"slices"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

func TestDataOfAnEventIsThatOfItsType(t *testing.T) {
	for _, c := range []struct {
		name, data string
		of         domain.EventType
		wrong      []string
	}{
		{"a transaction with tickets", `{"transaction":{},"tickets":[{}]}`, "transaction.complete", nil},
		{"a transaction alone", `{"transaction":{}}`, "transaction.canceled", nil},
		{"an object", `{"fund":{"x":1}}`, "fund.created", nil},
		{"an unknown type", `{}`, "fund.create", []string{"type"}},
		{"no object", `[]`, "fund.created", []string{"data"}},
		{"null", `null`, "fund.created", []string{"data"}},
		{"no resource", `{}`, "fund.created", []string{"data.fund"}},
		{"a resource that is no object", `{"fund":[]}`, "fund.created", []string{"data.fund"}},
		{"a further member", `{"fund":{},"funds":{}}`, "fund.created", []string{"data.funds"}},
		{"tickets that are no array", `{"transaction":{},"tickets":{}}`, "transaction.complete", []string{"data.tickets"}},
		{
			"a ticket that is no object",
			`{"transaction":{},"tickets":[{},1,null]}`, "transaction.complete",
			[]string{"data.tickets[1]", "data.tickets[2]"},
		},
		{"several faults at once", `{"tickets":1,"x":1}`, "transaction.complete", []string{"data.transaction", "data.tickets", "data.x"}},
	} {
		data, err := ecmajson.Parse([]byte(c.data), ecmajson.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		if err := (NewEvent{Type: c.of, Data: data}).check(); err != nil {
			for _, field := range domain.AsError(err).Fields {
				paths = append(paths, field.Path)
			}
		}
		if !slices.Equal(paths, c.wrong) {
			t.Errorf("%s: wrong are %v", c.name, paths)
		}
	}
}
