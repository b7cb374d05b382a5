package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// InvoiceTx is a database transaction that can issue invoices.
type InvoiceTx interface {
	// CreateInvoices stores invoices and returns them with the seller's next numbers and with issue times that never decrease
	// from number to number. If the seller has invoicing, it also starts the hand-over.
	//
	// Other transactions that issue invoices of this seller wait until the commit. Call it last: a rollback then leaves no
	// gap in the numbers.
	//
	//	issued, err := tx.CreateInvoices(ctx, seller.ID, []Invoice{NewInvoice(transaction, seller, now)})
	CreateInvoices(ctx context.Context, seller ids.Seller, invoices []Invoice) ([]Invoice, error)
	// InvoicesOfTransactions returns the invoices of the transactions, ordered by number.
	InvoicesOfTransactions(ctx context.Context, seller ids.Seller, transactions []string) ([]Invoice, error)
}

// InvoiceStore is the database access of issued invoices. Records of other sellers are NOT_FOUND.
type InvoiceStore interface {
	InTx(ctx context.Context, f func(HandOverTx) error) error
	// Invoice reads an invoice with its hand-over attempts.
	Invoice(ctx context.Context, seller ids.Seller, id string) (InvoiceRecord, error)
	// Invoices lists invoices by number.
	Invoices(
		ctx context.Context, seller ids.Seller, filter InvoiceFilter, page domain.Page,
	) (domain.List[InvoiceRecord], error)
	// InvoicesByID reads invoices without their hand-over attempts.
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

// HandOverTx is a database transaction that can request a hand-over attempt.
type HandOverTx interface {
	domain.Tx
	// RequestHandOver records a request that arrived at the given time, with the job that will carry it out. It returns
	// the hand-over before and after. If there was none before, its State is empty. Changed is false if the request
	// repeats an earlier one.
	RequestHandOver(
		ctx context.Context, seller ids.Seller, invoiceID string, arrived time.Time,
	) (before, after HandOver, changed bool, err error)
}
