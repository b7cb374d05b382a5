package sale

import (
	"context"
	"strconv"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Invoices is what can be done with a seller's invoices.
type Invoices struct {
	Store InvoiceStore
	Now   func() time.Time
}

// InvoiceRecord is an invoice, and how far it is on its way to the seller's invoicing; nil where it never had to go there.
type InvoiceRecord struct {
	Invoice
	HandOver *HandOver `json:"handOver,omitempty"`
}

// InvoiceOf is an invoice's place in lists: its number.
func InvoiceOf(i InvoiceRecord) string { return strconv.Itoa(i.Number) }

// Cursor is the invoice's place in lists.
func (i InvoiceRecord) Cursor() domain.Cursor { return domain.Cursor{ID: InvoiceOf(i)} }

// InvoiceFilter narrows a list of invoices; a zero member is no filter (decisions 3.4).
type InvoiceFilter struct {
	TransactionID string      `graphql:"transactionId"`
	Kind          InvoiceKind `graphql:"kind"`
	// Number finds the one invoice that has it; there is none with the number 0.
	Number        *int          `graphql:"number"`
	HandOverState HandOverState `graphql:"handOverState"`
	// HandOverStateIn are several states, of which the hand-over has one.
	HandOverStateIn []HandOverState `graphql:"handOverStateIn"`
	// Text is contained in the buyer's names, company, e-mail or identification, the tid or the _id, without regard to case.
	Text string `graphql:"text"`
	// From is included in the span of time, Until is not.
	IssuedFrom  *moment.DateTime `graphql:"issuedFrom"`
	IssuedUntil *moment.DateTime `graphql:"issuedUntil"`
}

// Check returns everything that is wrong with the filter, by its own members.
func (f InvoiceFilter) Check() error {
	var problems domain.Problems
	problems.Values("handOverStateIn", len(f.HandOverStateIn))
	return problems.Err()
}

// List returns the seller's invoices, oldest first: invoices:list, or a session with VIEWER.
func (s Invoices) List(ctx context.Context, filter InvoiceFilter, page domain.Page) (domain.List[InvoiceRecord], error) {
	return domain.ReadPage(ctx, domain.ListInvoices, s.Store.Invoices, filter, page)
}

// Get returns one invoice with the attempts to hand it over: invoices:list, or a session with VIEWER.
func (s Invoices) Get(ctx context.Context, id string) (InvoiceRecord, error) {
	actor, err := domain.Authorize(ctx, domain.GetInvoice)
	if err != nil {
		return InvoiceRecord{}, err
	}
	found, err := s.Store.Invoice(ctx, actor.SellerID, id)
	found.HandOver = found.HandOver.shownTo(ctx, actor)
	return found, err
}

// RetryHandOver asks for one attempt now, with the same bytes: of a hand-over in whatever state, and of an invoice that was
// issued before the seller had invoicing. Without invoicing it is INVALID_STATE. Invoices:update, or a session with
// MANAGER.
func (s Invoices) RetryHandOver(ctx context.Context, id string) (HandOver, error) {
	arrived := s.Now() // before any wait for a lock, as for the delivery of a webhook
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
		tx.Answer(after)
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
