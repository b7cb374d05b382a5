package main

import (
	"encoding/json"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
	"ticketgate/domain/tenant"
)

// invoiceArea is invoices and their hand-over.
var invoiceArea = area{
	samples: map[domain.Operation][]sample{
		domain.ListInvoices:         {{}},
		domain.GetInvoice:           {{target: "id", object: "invoice"}},
		domain.RetryInvoiceHandOver: {{target: "id", object: "invoice"}},
	},
	makers: map[string]maker{"invoice": (*house).invoice},
	lists:  map[domain.Operation]pagedList{domain.ListInvoices: {row: (*house).invoice}},
}

// invoice sells something, issues its invoice, and has it handed over.
func (h *house) invoice(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	ctx := h.actingOn(t, seller)
	_, err := h.do.Sellers.Update(ctx, tenant.SellerChange{
		SellerID: seller.SellerID, Invoicing: domain.Some(tenant.InvoicingChange{URL: listenerURL}),
	})
	must(t, err)
	id := serial("transaction")
	text, err := json.Marshal(map[string]any{
		"_id": id, "sellerId": seller.SellerID, "eventId": "e1", "realPrice": 10, "status": "COMPLETE", "secret": "s",
		"tid": mark + " tid", "coupons": []string{}, "company": mark + " company",
	})
	must(t, err)
	transaction, err := ecmajson.Parse(text, ecmajson.Limits{})
	must(t, err)
	_, err = h.do.Transactions.Import(ctx, sale.TransactionImport{Transactions: []ecmajson.Value{transaction}})
	must(t, err)
	record, err := h.do.Transactions.Get(ctx, id)
	must(t, err)
	var issued []sale.Invoice
	must(t, h.do.Transactions.Store.InTx(ctx, func(tx sale.TransactionTx) (err error) {
		invoice := sale.NewInvoice(record.Transaction, tenant.Seller{Name: mark + " seller", Country: "FR"}, time.Now())
		issued, err = tx.CreateInvoices(ctx, seller.SellerID, []sale.Invoice{invoice})
		return err
	}))
	return issued[0].ID
}
