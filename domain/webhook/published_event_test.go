package webhook

import (
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

func TestDataOfAnEventMatchesItsType(t *testing.T) {
	for _, c := range []struct {
		name, data string
		of         domain.EventType
		wrong      []string
	}{
		{"a transaction with tickets", `{"transaction":{},"tickets":[{}]}`, "transaction.complete", nil},
		{"a transaction without tickets", `{"transaction":{},"tickets":[]}`, "transaction.canceled", nil},
		{"a transaction alone", `{"transaction":{}}`, "transaction.canceled", []string{"data.tickets"}},
		{"an object", `{"fund":{"x":1}}`, "fund.created", nil},
		{"an unknown type", `{}`, "fund.create", []string{"type"}},
		{"an array", `[]`, "fund.created", []string{"data"}},
		{"null", `null`, "fund.created", []string{"data"}},
		{"an empty object", `{}`, "fund.created", []string{"data.fund"}},
		{"a resource that is not an object", `{"fund":[]}`, "fund.created", []string{"data.fund"}},
		{"an unknown field", `{"fund":{},"funds":{}}`, "fund.created", []string{"data.funds"}},
		{"tickets that are not an array", `{"transaction":{},"tickets":{}}`, "transaction.complete", []string{"data.tickets"}},
		{
			"a ticket that is not an object",
			`{"transaction":{},"tickets":[{},1,null]}`, "transaction.complete",
			[]string{"data.tickets[1]", "data.tickets[2]"},
		},
		{"a different status", `{"transaction":{"status":"NEW"},"tickets":[]}`, "transaction.complete", []string{"data.transaction.status"}},
		{"not yet canceled", `{"transaction":{"status":"COMPLETE"},"tickets":[]}`, "transaction.canceled", []string{"data.transaction.status"}},
		{
			"complete, not reserved", `{"transaction":{"status":"COMPLETE"},"tickets":[]}`, "transaction.reservedBySystem",
			[]string{"data.transaction.status"},
		},
		{"aborted, not completed", `{"checkout":{"status":"ABORTED"}}`, "checkout.completed", []string{"data.checkout.status"}},
		{"completed, not aborted", `{"checkout":{"status":"COMPLETE"}}`, "checkout.aborted", []string{"data.checkout.status"}},
		{"a matching status", `{"checkout":{"status":"COMPLETE"}}`, "checkout.completed", nil},
		{"any other status", `{"transaction":{"status":"RESERVED-BY-SYSTEM"},"tickets":[]}`, "transaction.partiallyCanceled", nil},
		{"rejected, not approved", `{"purchaseIntent":{"status":"REJECTED"}}`, "purchaseIntent.approved", []string{"data.purchaseIntent.status"}},
		{"created, not expired", `{"purchaseIntent":{"status":"CREATED"}}`, "purchaseIntent.expired", []string{"data.purchaseIntent.status"}},
		{"an unknown status", `{"purchaseIntent":{"status":"FOO"}}`, "purchaseIntent.completed", []string{"data.purchaseIntent.status"}},
		{"updated after completion", `{"purchaseIntent":{"status":"COMPLETED"}}`, "purchaseIntent.updated", []string{"data.purchaseIntent.status"}},
		{"updated after approval", `{"purchaseIntent":{"status":"APPROVED"}}`, "purchaseIntent.updated", nil},
		{"a number", `{"purchaseIntent":{"status":5}}`, "purchaseIntent.completed", []string{"data.purchaseIntent.status"}},
		{"a number in a checkout", `{"checkout":{"status":5}}`, "checkout.completed", []string{"data.checkout.status"}},
		{"null", `{"checkout":{"status":null}}`, "checkout.completed", []string{"data.checkout.status"}},
		{"an object", `{"checkout":{"status":{}}}`, "checkout.aborted", []string{"data.checkout.status"}},
		{"details after completion", `{"checkout":{"status":"COMPLETE"}}`, "checkout.detailsSubmitted", []string{"data.checkout.status"}},
		{"partly canceled but new", `{"transaction":{"status":"NEW"},"tickets":[]}`, "transaction.partiallyCanceled", []string{"data.transaction.status"}},
		{"partly canceled but canceled", `{"transaction":{"status":"CANCELED"},"tickets":[]}`, "transaction.partiallyCanceled", []string{"data.transaction.status"}},
		{"a job with another status", `{"job":{"status":"completed"}}`, "job.failed", []string{"data.job.status"}},
		{"a transfer with another status", `{"ticketTransfer":{"status":"TRANSFERRED"}}`, "ticketTransfer.rejected", []string{"data.ticketTransfer.status"}},
		{"a job with a matching status", `{"job":{"status":"COMPLETED"}}`, "job.completed", nil},
		{"a status of another resource", `{"job":{"status":"NEW"}}`, "job.completed", nil},
		{"several errors", `{"tickets":1,"x":1}`, "transaction.complete", []string{"data.transaction", "data.tickets", "data.x"}},
	} {
		data, err := ecmajson.Parse([]byte(c.data), ecmajson.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		if _, err := (NewEvent{Type: c.of, Data: data}).check(nil); err != nil {
			for _, field := range domain.AsError(err).Fields {
				paths = append(paths, field.Path)
			}
		}
		if !slices.Equal(paths, c.wrong) {
			t.Errorf("%s: got errors at %v", c.name, paths)
		}
	}
}

type shown struct {
	ID string           `json:"_id" document:"id"`
	At *moment.DateTime `json:"at,omitempty"`
	By *moment.DateTime `json:"by" document:"made"`
}

func TestResourcesOfAnEventAreChecked(t *testing.T) {
	resources := Resources{"transaction": document.Read[shown](), "ticket": document.Read[shown](), "fund": document.ReadOpen[shown]()}
	const right, time = `{"_id":"a","by":"2026-01-01T00:00:00.000Z"}`, `"2026-01-01T01:00:00+01:00"`
	for _, c := range []struct {
		name, data string
		of         domain.EventType
		want       string
	}{
		{"valid resources", `{"tickets":[` + right + `],"transaction":` + right + `}`, "transaction.complete", `{"transaction":` + right + `,"tickets":[` + right + `]}`},
		{"date-times in another form", `{"ticket":{"by":` + time + `,"_id":"a","at":null}}`, "ticket.created", `{"ticket":` + right + `}`},
		{"without a definition", `{"bundle":{"at":1,"by":` + time + `}}`, "bundle.created", `{"bundle":{"at":1,"by":` + time + `}}`},
		{"unknown fields of an open definition", `{"fund":{"z":null,"by":` + time + `,"_id":"a"}}`, "fund.created", `{"fund":{"_id":"a","by":"2026-01-01T00:00:00.000Z","z":null}}`},
		{
			"errors of all resources", `{"transaction":{"_id":1,"at":"x","x":1},"tickets":[` + right + `,{"_id":"b"}]}`, "transaction.canceled",
			"data.transaction._id data.transaction.at data.transaction.x data.transaction.by data.tickets[1].by",
		},
		{"a wrong field of an open definition", `{"fund":{"_id":"a","by":"x"}}`, "fund.created", "data.fund.by"},
	} {
		data, err := ecmajson.Parse([]byte(c.data), ecmajson.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		checked, err := (NewEvent{Type: c.of, Data: data}).check(resources)
		got := string(checked.Append(nil))
		if err != nil {
			paths := make([]string, len(domain.AsError(err).Fields))
			for i, field := range domain.AsError(err).Fields {
				paths[i] = field.Path
			}
			got = strings.Join(paths, " ")
		}
		if got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}
