package scan_test

import (
	"testing"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ticket"
)

func importOf(t testing.TB, raw []byte) ticket.Import {
	t.Helper()
	value, err := ecmajson.Parse(raw, ecmajson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return ticket.Import{SellerID: seller, Tickets: []ecmajson.Value{value}}
}
