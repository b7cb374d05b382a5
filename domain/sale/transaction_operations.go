package sale

import (
	"context"
	"time"

	"ticketgate/domain"
)

// Transactions is what can be done with a seller's transactions.
type Transactions struct {
	Store TransactionStore
	Now   func() time.Time
	// Seller finds a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, domain.SellerID) (domain.OrgID, domain.Features, error)
}

// List returns the seller's transactions, oldest first: transactions:list, or a session with VIEWER.
func (s Transactions) List(
	ctx context.Context, filter TransactionFilter, page domain.Page,
) (domain.List[TransactionRecord], error) {
	actor, err := domain.Authorize(ctx, domain.ListTransactions)
	if err != nil {
		return domain.List[TransactionRecord]{}, err
	}
	if err := filter.Check(); err != nil {
		return domain.List[TransactionRecord]{}, err
	}
	return s.Store.Transactions(ctx, actor.SellerID, filter, page)
}

// Get returns one transaction: transactions:list, or a session with VIEWER.
func (s Transactions) Get(ctx context.Context, id string) (TransactionRecord, error) {
	actor, err := domain.Authorize(ctx, domain.GetTransaction)
	if err != nil {
		return TransactionRecord{}, err
	}
	return s.Store.Transaction(ctx, actor.SellerID, id)
}
