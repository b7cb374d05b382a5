package apis

import (
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// ticketArea covers tickets and transactions, which other services import.
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
		"ticket": (*apitest.Server).Ticket, "transaction": (*apitest.Server).Transaction,
	},
	lists: map[domain.Operation]pagedList{
		domain.ListTickets: {row: (*apitest.Server).Ticket}, domain.ListTransactions: {row: (*apitest.Server).Transaction},
	},
}

// handedTicket and handedTransaction are documents as other services send them.
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
