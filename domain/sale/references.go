package sale

import (
	"context"

	"ticketgate/domain"
)

// Referred returns the transaction that something of a seller names: transactions:list, or a session with VIEWER. It is nil
// where nothing is named, and where no such transaction was ever handed in: of imported tickets nobody has looked
// (decisions 1.1). Many that are asked for at the same time, as for the items of a list, are read together.
func (s Transactions) Referred(ctx context.Context, by domain.SellerID, id *string) (*TransactionRecord, error) {
	if id == nil {
		return nil, nil //nolint:nilnil // nothing is named
	}
	actor, err := domain.Authorize(ctx, domain.GetTransaction)
	if err != nil {
		return nil, err
	}
	if actor.SellerID != by {
		return nil, domain.NotFound("Transaction")
	}
	return s.Store.ReferredTransaction(ctx, by, *id)
}

// OfTransaction lists the invoices of one transaction, oldest first: invoices:list, or a session with VIEWER. Those of many
// transactions that are asked for at the same time are read together.
func (s Invoices) OfTransaction(ctx context.Context, of Transaction, page domain.Page) (domain.List[InvoiceRecord], error) {
	actor, err := domain.Authorize(ctx, domain.ListInvoices)
	if err != nil {
		return domain.List[InvoiceRecord]{}, err
	}
	if actor.SellerID != of.SellerID {
		return domain.List[InvoiceRecord]{}, domain.NotFound("Transaction")
	}
	return s.Store.InvoicesOfTransaction(ctx, of.SellerID, of.ID, page)
}
