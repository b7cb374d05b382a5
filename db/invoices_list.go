package db

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
)

// invoiceRow has the columns of an invoice that are read, and those of its hand-over, if any. All other columns
// duplicate parts of the document.
type invoiceRow struct {
	bun.BaseModel `bun:"table:invoices,alias:i"`
	deliveryRow   // the hand-over

	Document   []byte `bun:"document"`
	HandedOver bool   `bun:"handed_over"`
}

// invoices includes the hand-over of each invoice.
var invoices = &source[invoiceRow]{
	columns: `i.document, h.invoice_id IS NOT NULL AS handed_over, coalesce(h.state, '') AS state,
		coalesce(h.attempts, 0) AS attempts, coalesce(h.scheduled, 0) AS scheduled,
		coalesce(h.retry_requested, false) AS retry_requested, h.retriggered_at, h.next_attempt_at, h.delivered_at,
		coalesce(h.created_at, i.issued_at) AS created_at, coalesce(h.updated_at, i.issued_at) AS updated_at`,
	joins: []string{"LEFT JOIN hand_overs h ON h.invoice_id = i.id AND h.seller_id = i.seller_id"},
}

func (r invoiceRow) record() (found sale.InvoiceRecord, err error) {
	if err := json.Unmarshal(r.Document, &found.Invoice); err != nil || !r.HandedOver {
		return found, err
	}
	delivery, err := r.delivery()
	handOver := handOverOf(delivery)
	found.HandOver = &handOver
	return found, err
}

// invoiceStore implements sale.InvoiceStore.
type invoiceStore struct {
	*Store
	transactor[sale.HandOverTx]
}

// Invoices returns the store of invoices.
func (s *Store) Invoices() sale.InvoiceStore {
	return invoiceStore{s, transactor[sale.HandOverTx]{s, func(tx *Tx) sale.HandOverTx { return tx }}}
}

// Invoice reads one invoice of a seller with its hand-over attempts.
func (s invoiceStore) Invoice(ctx context.Context, seller ids.Seller, id string) (sale.InvoiceRecord, error) {
	read, err := invoices.of(seller).withID(id).row(ctx, s.Store, s.sql, invoiceName)
	if err != nil {
		return sale.InvoiceRecord{}, err
	}
	found, err := read.record()
	if err != nil || found.HandOver == nil {
		return found, err
	}
	found.HandOver.Attempts, err = s.handOverAttempts(ctx, id)
	return found, err
}

// handOverAttempts returns the attempts in the order in which they were made.
func (s *Store) handOverAttempts(ctx context.Context, invoiceID string) ([]sale.HandOverAttempt, error) {
	found, err := handOverAttempts.where("a.invoice_id = $", invoiceID).orderBy("a.number").rows(ctx, s, s.sql)
	if err != nil {
		return nil, err
	}
	return each(found, func(r handOverAttemptRow) (sale.HandOverAttempt, error) {
		a, err := r.attempt()
		return sale.HandOverAttempt{
			Number: a.Number, ByHand: a.ByHand, URL: a.URL, StartedAt: a.StartedAt, DurationMS: a.DurationMS, Status: a.Status,
			Failure: a.ShownFailure(), Detail: a.ShownDetail(), ResponseBody: a.ResponseBody,
			ResponseBodyTruncated: a.ResponseBodyTruncated,
		}, err
	})
}

// numberBefore returns the invoice number after which a page starts, or 0 for the first page.
func numberBefore(page domain.Page) (int, error) {
	if page.After == nil {
		return 0, nil
	}
	number, err := strconv.Atoi(page.After.ID)
	if err != nil {
		return 0, domain.Invalid("after", domain.NotACursor)
	}
	return number, nil
}

// Invoices lists a seller's invoices by number, which is the order of issue.
func (s invoiceStore) Invoices(
	ctx context.Context, seller ids.Seller, f sale.InvoiceFilter, page domain.Page,
) (domain.List[sale.InvoiceRecord], error) {
	list, err := invoicesWhere(seller, f, page, invoicesByIndex(f)...)
	if err != nil {
		return domain.List[sale.InvoiceRecord]{}, err
	}
	return list.kept("invoices", wholeSeller, 1).page(ctx, s.Store, page)
}

// InvoicesOfTransactions reads one page of invoices for each transaction.
func (s invoiceStore) InvoicesOfTransactions(
	ctx context.Context, seller ids.Seller, transactions []string, f sale.InvoiceFilter, page domain.Page,
) (map[string]domain.List[sale.InvoiceRecord], error) {
	list, err := invoicesWhere(seller, f, page)
	if err != nil {
		return nil, err
	}
	return list.within(ctx, s.Store, "i.transaction_id = parent.id", transactions, page)
}

// InvoicesOfCustomers reads, for each customer, one page of the invoices of the customer's transactions.
func (s invoiceStore) InvoicesOfCustomers(
	ctx context.Context, seller ids.Seller, customers []string, f sale.InvoiceFilter, page domain.Page,
) (map[string]domain.List[sale.InvoiceRecord], error) {
	list, err := invoicesWhere(seller, f, page)
	if err != nil {
		return nil, err
	}
	return list.within(ctx, s.Store, "i.transaction_id IN (SELECT t.id FROM "+tableIn(ofCustomer, "")+")", customers, page)
}

// InvoicesByID returns a seller's invoices by id, without their hand-over attempts.
func (s invoiceStore) InvoicesByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]sale.InvoiceRecord, error) {
	found, err := invoices.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, invoiceRow.record, func(i sale.InvoiceRecord) string { return i.ID })
}

// CancellationsOfInvoices reads one page of cancellations for each invoice. They belong to the same transaction.
func (s invoiceStore) CancellationsOfInvoices(
	ctx context.Context, seller ids.Seller, invoices []string, f sale.InvoiceFilter, page domain.Page,
) (map[string]domain.List[sale.InvoiceRecord], error) {
	list, err := invoicesWhere(seller, f, page)
	if err != nil {
		return nil, err
	}
	const condition = `i.transaction_id = (SELECT c.transaction_id FROM invoices c WHERE c.seller_id = $1 AND c.id = parent.id)
		AND i.document #>> '{cancels,invoiceId}' = parent.id`
	return list.within(ctx, s.Store, condition, invoices, page)
}

// invoicesWhere lists the invoices that match the filter, by number. It returns an error if the page's cursor is not a
// number.
func invoicesWhere(
	seller ids.Seller, f sale.InvoiceFilter, page domain.Page, leading ...filter,
) (listing[invoiceRow, sale.InvoiceRecord], error) {
	q := invoices.of(seller).filteredBy(leading, others(leading, append(invoicesByIndex(f),
		equals("i.kind", f.Kind), holding("i.search_folded", f.Text),
		at("i.issued_at >= $", f.IssuedFrom), at("i.issued_at < $", f.IssuedUntil))...)...)
	if f.HandOverState != "" || len(f.HandOverStateIn) > 0 {
		states := handOverStates(f)
		q.where(handedOver(states), plain(states))
	}
	_, err := numberBefore(page)
	return listing[invoiceRow, sale.InvoiceRecord]{query: q, id: "i.number", item: invoiceRow.record}, err
}

// handedOver returns a condition for invoices whose hand-over has one of the states. It is not part of the filters'
// shared condition, which would look up the hand-over of each invoice first. Most hand-overs are delivered, so a page
// of these is read in the order of numbers. For the few others, the hand-overs are looked up first.
func handedOver(states []sale.HandOverState) string {
	if slices.Contains(states, sale.HandOverDelivered) {
		return "h.state = ANY($)"
	}
	return "i.id = ANY(ARRAY(SELECT o.invoice_id FROM hand_overs o WHERE o.state = ANY($) AND o.seller_id = $1))"
}

// handOverStates returns the states that a filter admits. It returns none if the filter's two fields contradict each
// other.
func handOverStates(f sale.InvoiceFilter) []sale.HandOverState {
	switch {
	case f.HandOverState == "":
		return f.HandOverStateIn
	case len(f.HandOverStateIn) > 0 && !slices.Contains(f.HandOverStateIn, f.HandOverState):
		return nil
	}
	return []sale.HandOverState{f.HandOverState}
}

// invoicesByIndex returns the filters that have an index.
func invoicesByIndex(f sale.InvoiceFilter) []filter {
	return []filter{
		{condition: "i.number = $", kind: "bigint", args: []any{f.Number}, used: f.Number != nil},
		equals("i.transaction_id", f.TransactionID),
	}
}

// InvoicesOfTransactions returns the invoices of transactions, ordered by number.
func (tx *Tx) InvoicesOfTransactions(
	ctx context.Context, seller ids.Seller, transactions []string,
) ([]sale.Invoice, error) {
	found, err := invoices.of(seller).where("i.transaction_id = ANY($)", transactions).orderBy("i.number").rows(ctx, tx.store, tx)
	if err != nil {
		return nil, err
	}
	return each(found, func(r invoiceRow) (sale.Invoice, error) {
		record, err := r.record()
		return record.Invoice, err
	})
}
