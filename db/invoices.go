package db

import (
	"context"
	"slices"
	"strings"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
	"ticketgate/domain/texts"
	"ticketgate/domain/webhook"
)

// invoicesAtOnce is how many invoices go into one statement.
const invoicesAtOnce = 500

// invoiceColumns are rows to be inserted, column by column. Heads, middles and tails are the document's text around the number
// and the time of issue, which only the database knows.
type invoiceColumns struct {
	ids, transactions, kinds, searches, heads, middles, tails []string
	issued                                                    time.Time // no invoice is issued before
}

func (c *invoiceColumns) add(invoice sale.Invoice) error {
	head, middle, tail, err := invoice.Document()
	if err != nil {
		return err
	}
	c.ids, c.transactions = append(c.ids, invoice.ID), append(c.transactions, invoice.TransactionID)
	c.kinds, c.searches = append(c.kinds, string(invoice.Kind)), append(c.searches, invoiceSearch(invoice))
	c.heads, c.middles, c.tails = append(c.heads, head), append(c.middles, middle), append(c.tails, tail)
	if invoice.IssuedAt.After(c.issued) {
		c.issued = invoice.IssuedAt.Time
	}
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
	return texts.Fold(strings.Join(parts, "\n"))
}

// CreateInvoices numbers invoices and stores them with their hand-overs.
func (tx *Tx) CreateInvoices(ctx context.Context, seller ids.Seller, invoices []sale.Invoice) ([]sale.Invoice, error) {
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
func (tx *Tx) createInvoices(ctx context.Context, seller ids.Seller, part []sale.Invoice) error {
	var columns invoiceColumns
	for _, invoice := range part {
		if err := columns.add(invoice); err != nil {
			return err
		}
	}
	type issuedRow struct {
		Before     int
		IssuedAt   time.Time
		HandedOver bool
	}
	issued, err := row[issuedRow](ctx, tx.store, tx, "Seller", `WITH counter AS (
			INSERT INTO invoice_counters AS c (seller_id, last, issued_at) VALUES ($1, $2, $10)
			ON CONFLICT (seller_id) DO UPDATE SET last = c.last + excluded.last, issued_at = greatest(c.issued_at, excluded.issued_at)
			RETURNING last - $2 AS before, issued_at),
		invoice AS (
			INSERT INTO invoices (id, seller_id, transaction_id, number, kind, search_folded, document, issued_at)
			SELECT d.id, $1, d.transaction_id, c.before + d.place, d.kind, d.search_folded,
				(d.head || (c.before + d.place) || d.middle
					|| to_char(c.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || d.tail)::json, c.issued_at
			FROM counter c, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
				WITH ORDINALITY AS d (id, transaction_id, kind, search_folded, head, middle, tail, place)),
		hand_over AS (
			INSERT INTO hand_overs (invoice_id, seller_id, state, next_attempt_at, created_at, updated_at)
			SELECT d.id, $1, 'pending', $10, $10, $10 FROM sellers s, unnest($3::text[]) AS d (id)
			WHERE s.id = $1 AND s.invoicing_url IS NOT NULL RETURNING invoice_id)
		SELECT c.before, c.issued_at, EXISTS (SELECT FROM hand_over) AS handed_over FROM counter c`,
		string(seller), len(part), columns.ids, columns.transactions, columns.kinds, columns.searches, columns.heads,
		columns.middles, columns.tails, columns.issued)
	for i := range part {
		part[i].Number, part[i].IssuedAt = issued.Before+i+1, moment.New(issued.IssuedAt)
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
