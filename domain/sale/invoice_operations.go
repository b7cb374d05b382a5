package sale

import (
	"context"
	"strconv"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Invoices implements the operations on a seller's invoices.
type Invoices struct {
	Store InvoiceStore
	Now   func() time.Time
}

// InvoiceRecord is an invoice with the state of its hand-over to the seller's invoicing. HandOver is nil if the invoice was
// never handed over.
type InvoiceRecord struct {
	Invoice
	HandOver *HandOver `json:"handOver,omitempty"`
}

// InvoiceOf returns an invoice's key in lists, which is its number.
func InvoiceOf(i InvoiceRecord) string { return strconv.Itoa(i.Number) }

// Cursor returns the invoice's position in lists.
func (i InvoiceRecord) Cursor() domain.Cursor { return domain.Cursor{ID: InvoiceOf(i)} }

// InvoiceFilter narrows a list of invoices. A zero field does not filter.
type InvoiceFilter struct {
	TransactionID string      `graphql:"transactionId"`
	Kind          InvoiceKind `graphql:"kind"`
	// Number is a pointer, because 0 is a valid filter that matches nothing.
	Number          *int            `graphql:"number"`
	HandOverState   HandOverState   `graphql:"handOverState"`
	HandOverStateIn []HandOverState `graphql:"handOverStateIn"`
	// Text matches a part of the buyer's names, company, email address or identification, of the tid or of the _id,
	// ignoring case.
	Text string `graphql:"text"`
	// IssuedFrom is inclusive, IssuedUntil exclusive.
	IssuedFrom  *moment.DateTime `graphql:"issuedFrom"`
	IssuedUntil *moment.DateTime `graphql:"issuedUntil"`
}

// Check returns all validation errors of the filter's fields.
func (f InvoiceFilter) Check() error {
	var errs domain.FieldErrors
	errs.Values("handOverStateIn", len(f.HandOverStateIn))
	return errs.Err()
}

// List returns a page of the seller's invoices, oldest first. Requires invoices:list, or a session with role VIEWER.
func (s Invoices) List(ctx context.Context, filter InvoiceFilter, page domain.Page) (domain.List[InvoiceRecord], error) {
	return domain.ReadPage(ctx, domain.ListInvoices, s.Store.Invoices, filter, page)
}

// Get returns an invoice with its hand-over attempts. Requires invoices:list, or a session with role VIEWER.
func (s Invoices) Get(ctx context.Context, id string) (InvoiceRecord, error) {
	actor, err := domain.Authorize(ctx, domain.GetInvoice)
	if err != nil {
		return InvoiceRecord{}, err
	}
	found, err := s.Store.Invoice(ctx, actor.SellerID, id)
	found.HandOver = found.HandOver.shownTo(ctx, actor)
	return found, err
}

// RetryHandOver requests an immediate hand-over attempt with the same bytes. The hand-over may be in any state, and the
// invoice may have been issued before the seller had invoicing. If the seller has no invoicing, it returns INVALID_STATE.
// Requires invoices:update, or a session with role MANAGER.
func (s Invoices) RetryHandOver(ctx context.Context, id string) (HandOver, error) {
	arrived := s.Now() // before waiting for locks, as for webhook deliveries
	actor, err := domain.Authorize(ctx, domain.RetryInvoiceHandOver)
	if err != nil {
		return HandOver{}, err
	}
	var after HandOver
	err = s.Store.InTx(ctx, func(tx HandOverTx) error {
		before, now, changed, err := tx.RequestHandOver(ctx, actor.SellerID, id, arrived)
		if err != nil {
			return err
		}
		after = now
		tx.SetResponse(after)
		if !changed {
			return nil
		}
		asked := map[string]any{"attempts": before.AttemptCount}
		if before.State != "" {
			asked["state"] = before.State
		}
		return tx.Audit(ctx, domain.Change{
			SellerID: actor.SellerID, Action: domain.RetryInvoiceHandOver, Object: "invoice", ObjectID: id,
		}.Diff(nil, asked))
	})
	return after, err
}
