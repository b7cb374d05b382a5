package sale

import (
	"context"

	"ticketgate/domain"
)

// InvoiceTx is what a database transaction offers to what issues invoices.
type InvoiceTx interface {
	// CreateInvoices gives invoices the seller's next numbers, stores them and, where the seller has invoicing, starts to
	// hand them over; it returns them with their numbers. From here to the commit everybody else who issues invoices of
	// this seller waits, so that it is to be the last statement: a rollback then leaves no gap.
	//
	//	issued, err := tx.CreateInvoices(ctx, seller.ID, []Invoice{NewInvoice(transaction, seller, now)})
	CreateInvoices(ctx context.Context, seller domain.SellerID, invoices []Invoice) ([]Invoice, error)
	// InvoicesOfTransactions finds the invoices of transactions, in the order of their numbers.
	InvoicesOfTransactions(ctx context.Context, seller domain.SellerID, transactions []string) ([]Invoice, error)
}
