package main

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// ticketArea is tickets and transactions, which other services hand in.
var ticketArea = area{
	samples: map[domain.Operation][]sample{
		domain.ImportTickets: {
			{args: object{"input": object{"tickets": []any{handedTicket}}}},
			ofNamedSeller(object{"input": object{"tickets": []any{handedTicket}}}),
			{
				name: "with a seller in the ticket", target: "input.tickets.0.sellerId", object: "seller",
				unknown: domain.CodeValidationFailed, args: object{"input": object{"tickets": []any{handedTicket}}},
			},
		},
		domain.ListTickets: {{}},
		domain.GetTicket:   {{target: "id", object: "ticket"}},
		domain.ImportTransactions: {
			{args: object{"input": object{"transactions": []any{handedTransaction}}}},
			ofNamedSeller(object{"input": object{"transactions": []any{handedTransaction}}}),
			{
				name: "with a seller in the transaction", target: "input.transactions.0.sellerId", object: "seller",
				unknown: domain.CodeValidationFailed, args: object{"input": object{"transactions": []any{handedTransaction}}},
			},
		},
		domain.ListTransactions: {{}},
		domain.GetTransaction:   {{target: "id", object: "transaction"}},
	},
	makers: map[string]maker{
		"ticket": (*house).ticket, "transaction": (*house).transaction,
	},
	lists: map[domain.Operation]pagedList{
		domain.ListTickets: {row: (*house).ticket}, domain.ListTransactions: {row: (*house).transaction},
	},
}

// handedTicket and handedTransaction are documents as other services hand them in.
var (
	handedTicket = object{
		"_id": fresh("ticket "), "sellerId": own("seller"), "eventId": "e1", "ticketTypeId": "tt", "ticketName": "Day",
		"status": "VALID", "secret": "s", "barcode": fresh("barcode "),
	}
	handedTransaction = object{
		"_id": fresh("transaction "), "sellerId": own("seller"), "eventId": "e1", "realPrice": 10.5, "status": "COMPLETE",
		"secret": "s", "tid": fresh("T-"), "coupons": []any{},
	}
)

// ticket makes a ticket of the seeded event; its id is its barcode too.
func (h *house) ticket(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	id := domain.NewID(time.Now())
	document, err := ecmajson.Parse(fmt.Appendf(nil, `{"_id":%q,"sellerId":%q,"eventId":%q,"ticketTypeId":%q,"ticketName":%q,
		"status":"VALID","secret":%q,"barcode":%q}`, id, seller.SellerID, seller.EventID, seller.TicketTypeID, mark+" ticket", id, id),
		ecmajson.Limits{})
	must(t, err)
	_, err = h.do.Tickets.Import(h.actingOn(t, seller), ticket.Import{Tickets: []ecmajson.Value{document}})
	must(t, err)
	return id
}

func (h *house) transaction(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	id := domain.NewID(time.Now())
	document, err := ecmajson.Parse(fmt.Appendf(nil, `{"_id":%q,"sellerId":%q,"eventId":%q,"realPrice":10.5,"status":"COMPLETE",
		"secret":%q,"tid":%q,"coupons":[],"lastname":%q}`, id, seller.SellerID, seller.EventID, id, id, mark+" buyer"), ecmajson.Limits{})
	must(t, err)
	_, err = h.do.Transactions.Import(h.actingOn(t, seller), sale.TransactionImport{Transactions: []ecmajson.Value{document}})
	must(t, err)
	return id
}
