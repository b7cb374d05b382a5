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

// invoicesAtOnce is the maximum number of invoices per statement.
const invoicesAtOnce = 500

// invoiceColumns has invoices to insert, column by column. Heads, middles and tails are the parts of each document
// before, between and after the number and the time of issue, which only the database knows. Places are the positions
// among the invoices of the same seller, starting at 1.
type invoiceColumns struct {
	ids, sellers, transactions, kinds, searches, heads, middles, tails []string
	places                                                             []int
	counted                                                            counted
}

// counted has the sellers of invoices in order, each with its number of invoices and the earliest time of issue.
type counted struct {
	sellers []string
	counts  []int
	issued  []time.Time
}

func (c *invoiceColumns) add(seller ids.Seller, invoice sale.Invoice) error {
	head, middle, tail, err := invoice.Document()
	if err != nil {
		return err
	}
	c.ids, c.sellers = append(c.ids, invoice.ID), append(c.sellers, string(seller))
	c.transactions = append(c.transactions, invoice.TransactionID)
	c.kinds, c.searches = append(c.kinds, string(invoice.Kind)), append(c.searches, invoiceSearch(invoice))
	c.heads, c.middles, c.tails = append(c.heads, head), append(c.middles, middle), append(c.tails, tail)
	c.places = append(c.places, c.counted.add(string(seller), invoice.IssuedAt.Time))
	return nil
}

// add counts an invoice and returns the number of invoices of its seller so far.
func (c *counted) add(seller string, issued time.Time) int {
	at, known := slices.BinarySearch(c.sellers, seller)
	if !known {
		c.sellers, c.counts = slices.Insert(c.sellers, at, seller), slices.Insert(c.counts, at, 0)
		c.issued = slices.Insert(c.issued, at, issued)
	}
	c.counts[at]++
	if issued.After(c.issued[at]) {
		c.issued[at] = issued
	}
	return c.counts[at]
}

// invoiceSearch returns the searchable text of an invoice. Its parts are separated by line breaks, so that no search
// matches across two.
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
		if err := tx.createInvoices(ctx, func(sale.Invoice) ids.Seller { return seller }, part); err != nil {
			return nil, err
		}
	}
	return numbered, nil
}

// createInvoices uses one statement for all invoices. The shorter the time between number and commit, the more invoices
// a seller can issue per second. The counters of several sellers are advanced in the order of their ids, to prevent
// deadlocks.
func (tx *Tx) createInvoices(ctx context.Context, of func(sale.Invoice) ids.Seller, part []sale.Invoice) error {
	var columns invoiceColumns
	for _, invoice := range part {
		if err := columns.add(of(invoice), invoice); err != nil {
			return err
		}
	}
	type issuedRow struct {
		SellerID   ids.Seller
		Before     int
		IssuedAt   time.Time
		HandedOver bool
	}
	found, err := rows[issuedRow](ctx, tx.store, tx, `WITH counter AS (
			INSERT INTO invoice_counters AS c (seller_id, last, issued_at)
			SELECT n.seller_id, n.count, n.issued_at FROM unnest($1::text[], $2::bigint[], $3::timestamptz[])
				AS n (seller_id, count, issued_at)
			ON CONFLICT (seller_id) DO UPDATE SET last = c.last + excluded.last, issued_at = greatest(c.issued_at, excluded.issued_at)
			RETURNING seller_id, last, issued_at),
		begun AS (
			SELECT c.seller_id, c.last - n.count AS before, c.issued_at, s.invoicing_url IS NOT NULL AS handed_over
			FROM counter c JOIN unnest($1::text[], $2::bigint[]) AS n (seller_id, count) ON n.seller_id = c.seller_id
			JOIN sellers s ON s.id = c.seller_id),
		invoice AS (
			INSERT INTO invoices (id, seller_id, transaction_id, number, kind, search_folded, document, issued_at)
			SELECT d.id, b.seller_id, d.transaction_id, b.before + d.place, d.kind, d.search_folded,
				(d.head || (b.before + d.place) || d.middle
					|| to_char(b.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || d.tail)::json, b.issued_at
			FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::bigint[])
				AS d (id, seller_id, transaction_id, kind, search_folded, head, middle, tail, place)
			JOIN begun b ON b.seller_id = d.seller_id),
		hand_over AS (
			INSERT INTO hand_overs (invoice_id, seller_id, state, next_attempt_at, created_at, updated_at)
			SELECT d.id, b.seller_id, 'pending', n.issued_at, n.issued_at, n.issued_at
			FROM unnest($4::text[], $5::text[]) AS d (id, seller_id) JOIN begun b ON b.seller_id = d.seller_id AND b.handed_over
			JOIN unnest($1::text[], $3::timestamptz[]) AS n (seller_id, issued_at) ON n.seller_id = d.seller_id)
		SELECT seller_id, before, issued_at, handed_over FROM begun`,
		columns.counted.sellers, columns.counted.counts, columns.counted.issued, columns.ids, columns.sellers, columns.transactions,
		columns.kinds, columns.searches, columns.heads, columns.middles, columns.tails, columns.places)
	if err != nil {
		return err
	}
	issued := make(map[ids.Seller]issuedRow, len(found))
	for _, row := range found {
		issued[row.SellerID] = row
	}
	var jobs []webhook.Job
	for i, invoice := range part {
		of := issued[of(invoice)]
		part[i].Number, part[i].IssuedAt = of.Before+columns.places[i], moment.New(of.IssuedAt)
		if of.HandedOver {
			jobs = append(jobs, webhook.Job{DeliveryID: invoice.ID, Queue: webhook.FirstQueue})
		}
	}
	return tx.enqueueHandOvers(ctx, jobs)
}
