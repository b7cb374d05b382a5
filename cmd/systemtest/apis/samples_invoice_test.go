package apis

import (
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// invoiceArea covers invoices and their hand-over.
var invoiceArea = area{
	samples: map[domain.Operation][]sample{
		domain.ListInvoices:         {{}},
		domain.GetInvoice:           {{target: "id", object: "invoice"}},
		domain.RetryInvoiceHandOver: {{target: "id", object: "invoice"}},
	},
	makers: map[string]maker{"invoice": (*apitest.Server).Invoice},
	lists:  map[domain.Operation]pagedList{domain.ListInvoices: {row: (*apitest.Server).Invoice}},
}
