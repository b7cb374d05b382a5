package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Transactions is what can be done with a seller's transactions.
type Transactions struct {
	Store TransactionStore
	Now   func() time.Time
	// Seller finds a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (ids.Org, domain.Features, error)
}

// List returns the seller's transactions, oldest first: transactions:list, or a session with VIEWER.
func (s Transactions) List(
	ctx context.Context, filter TransactionFilter, page domain.Page,
) (domain.List[TransactionRecord], error) {
	return domain.ReadPage(ctx, domain.ListTransactions, s.Store.Transactions, filter, page)
}

// Get returns one transaction: transactions:list, or a session with VIEWER.
func (s Transactions) Get(ctx context.Context, id string) (TransactionRecord, error) {
	return domain.Read(ctx, domain.GetTransaction, s.Store.Transaction, id)
}
