package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Transactions implements the operations on a seller's transactions.
type Transactions struct {
	Store TransactionStore
	Now   func() time.Time
	// Seller returns a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (ids.Org, domain.Features, error)
}

// List returns a page of the seller's transactions, oldest first. Requires transactions:list, or a session with role VIEWER.
func (s Transactions) List(
	ctx context.Context, filter TransactionFilter, page domain.Page,
) (domain.List[TransactionRecord], error) {
	return domain.ReadPage(ctx, domain.ListTransactions, s.Store.Transactions, filter, page)
}

// Get returns a transaction. Requires transactions:list, or a session with role VIEWER.
func (s Transactions) Get(ctx context.Context, id string) (TransactionRecord, error) {
	return domain.Read(ctx, domain.GetTransaction, s.Store.Transaction, id)
}
