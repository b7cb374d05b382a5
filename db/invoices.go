package db

import (
	"context"
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/sale"
	"ticketgate/domain/webhook"
)

// invoicesAtOnce is how many invoices go into one statement.
const invoicesAtOnce = 500

// invoiceColumns are rows to be inserted, column by column. Head and tail are the document's text before and behind the
// number, which only the database knows.
type invoiceColumns struct {
	ids, transactions, kinds, searches, heads, tails []string
	issued                                           []time.Time
}

func (c *invoiceColumns) add(invoice sale.Invoice) error {
	head, tail, err := invoice.Document()
	if err != nil {
		return err
	}
	c.ids, c.transactions = append(c.ids, invoice.ID), append(c.transactions, invoice.TransactionID)
	c.kinds, c.searches = append(c.kinds, string(invoice.Kind)), append(c.searches, invoiceSearch(invoice))
	c.heads, c.tails = append(c.heads, head), append(c.tails, tail)
	c.issued = append(c.issued, invoice.IssuedAt.Time)
	return nil
}

// invoiceSearch is what a person may search an invoice by; the parts are held apart, so that no search spans two.
func invoiceSearch(i sale.Invoice) string {
	const apart = 6
	parts := append(make([]string, 0, apart+len(i.Identification)), i.ID, i.TID,
		joined(i.Buyer.Prename, i.Buyer.Lastname), joined(i.Buyer.Name), joined(i.Buyer.Company), joined(i.Buyer.Email))
	for _, document := range i.Identification {
		parts = append(parts, document.Identifier)
	}
	return domain.Fold(strings.Join(parts, "\n"))
}

// CreateInvoices numbers invoices and stores them with their hand-overs.
func (tx *Tx) CreateInvoices(ctx context.Context, seller domain.SellerID, invoices []sale.Invoice) ([]sale.Invoice, error) {
	numbered := slices.Clone(invoices)
	for part := range slices.Chunk(numbered, invoicesAtOnce) {
		if err := tx.createInvoices(ctx, seller, part); err != nil {
			return nil, err
		}
	}
	return numbered, nil
}

// createInvoices is one statement for all: the fewer there are between the number and the commit, the more invoices a
// seller can issue in a second.
func (tx *Tx) createInvoices(ctx context.Context, seller domain.SellerID, part []sale.Invoice) error {
	var columns invoiceColumns
	for _, invoice := range part {
		if err := columns.add(invoice); err != nil {
			return err
		}
	}
	type issuedRow struct {
		Before     int
		HandedOver bool
	}
	issued, err := row[issuedRow](ctx, tx.store, tx.byHand(), "Seller", `WITH counter AS (
			INSERT INTO invoice_counters AS c (seller_id, last) VALUES ($1, $2)
			ON CONFLICT (seller_id) DO UPDATE SET last = c.last + excluded.last RETURNING last - $2 AS before),
		invoice AS (
			INSERT INTO invoices (id, seller_id, transaction_id, number, kind, search_folded, document, issued_at)
			SELECT d.id, $1, d.transaction_id, c.before + d.place, d.kind, d.search_folded,
				(d.head || (c.before + d.place) || d.tail)::json, d.issued_at
			FROM counter c, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
				WITH ORDINALITY AS d (id, transaction_id, kind, search_folded, head, tail, issued_at, place)),
		hand_over AS (
			INSERT INTO hand_overs (invoice_id, seller_id, state, next_attempt_at, created_at, updated_at)
			SELECT d.id, $1, 'pending', d.issued_at, d.issued_at, d.issued_at
			FROM sellers s, unnest($3::text[], $9::timestamptz[]) AS d (id, issued_at)
			WHERE s.id = $1 AND s.invoicing_url IS NOT NULL RETURNING invoice_id)
		SELECT c.before, EXISTS (SELECT FROM hand_over) AS handed_over FROM counter c`,
		string(seller), len(part), columns.ids, columns.transactions, columns.kinds, columns.searches, columns.heads,
		columns.tails, columns.issued)
	for i := range part {
		part[i].Number = issued.Before + i + 1
	}
	if err != nil || !issued.HandedOver {
		return err
	}
	wakeUps := make([]webhook.WakeUp, len(part))
	for i, invoice := range part {
		wakeUps[i] = webhook.WakeUp{DeliveryID: invoice.ID, Lane: webhook.FirstLane}
	}
	return tx.wakeHandOvers(ctx, wakeUps)
}
