package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// InvoiceTx is what a database transaction offers to what issues invoices.
type InvoiceTx interface {
	// CreateInvoices gives invoices the seller's next numbers, and times that are no earlier than those of any number before,
	// stores them and, where the seller has invoicing, starts to
	// hand them over; it returns them with both. From here to the commit everybody else who issues invoices of
	// this seller waits, so that it is to be the last statement: a rollback then leaves no gap.
	//
	//	issued, err := tx.CreateInvoices(ctx, seller.ID, []Invoice{NewInvoice(transaction, seller, now)})
	CreateInvoices(ctx context.Context, seller ids.Seller, invoices []Invoice) ([]Invoice, error)
	// InvoicesOfTransactions finds the invoices of transactions, in the order of their numbers.
	InvoicesOfTransactions(ctx context.Context, seller ids.Seller, transactions []string) ([]Invoice, error)
}

// InvoiceStore is what can be done with invoices that are issued. What another seller has is NOT_FOUND.
type InvoiceStore interface {
	InTx(ctx context.Context, f func(HandOverTx) error) error
	// Invoice reads one with the attempts of its hand-over.
	Invoice(ctx context.Context, seller ids.Seller, id string) (InvoiceRecord, error)
	// Invoices lists by number.
	Invoices(
		ctx context.Context, seller ids.Seller, filter InvoiceFilter, page domain.Page,
	) (domain.List[InvoiceRecord], error)
	// InvoicesByID are without the attempts of their hand-overs.
	InvoicesByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]InvoiceRecord, error)
	// CancellationsOfInvoices reads a page of each invoice's cancellations in one query. Every invoice has a list.
	CancellationsOfInvoices(
		ctx context.Context, seller ids.Seller, invoices []string, filter InvoiceFilter, page domain.Page,
	) (map[string]domain.List[InvoiceRecord], error)
	// InvoicesOfTransactions reads a page of each transaction's invoices in one query. Every transaction has a list.
	InvoicesOfTransactions(
		ctx context.Context, seller ids.Seller, transactions []string, filter InvoiceFilter, page domain.Page,
	) (map[string]domain.List[InvoiceRecord], error)
	// InvoicesOfCustomers reads a page of the invoices of each customer's transactions in one query. Every customer has a list.
	InvoicesOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter InvoiceFilter, page domain.Page,
	) (map[string]domain.List[InvoiceRecord], error)
}

// HandOverTx is what a database transaction offers to a wish for an attempt.
type HandOverTx interface {
	domain.Tx
	// RequestHandOver notes a wish that arrived at a time, with the job that will fulfil it, and returns the hand-over before
	// and after; where there was none, it has no state before. It is false when the wish is one that was noted already.
	RequestHandOver(
		ctx context.Context, seller ids.Seller, invoiceID string, arrived time.Time,
	) (before, after HandOver, changed bool, err error)
}
