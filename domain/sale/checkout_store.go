package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// CheckoutStore is the database access of checkouts. Records of other sellers are NOT_FOUND.
type CheckoutStore interface {
	RefusalStore
	InTx(ctx context.Context, f func(CheckoutTx) error) error
	// Complete locks a checkout, completes it with sell and stores the sale in one commit, only once. Concurrent calls
	// share a commit. The error of one does not affect the others (SALE-1). Sell may be called more than once, but not
	// after Complete has returned.
	Complete(ctx context.Context, seller ids.Seller, id string, sell func(LockedCheckout) (Sale, error)) (Checkout, error)
	Checkout(ctx context.Context, seller ids.Seller, id string) (Checkout, error)
	CheckoutsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Checkout, error)
	// Checkouts lists checkouts by _id.
	Checkouts(ctx context.Context, seller ids.Seller, filter CheckoutFilter, page domain.Page) (domain.List[Checkout], error)
	// CheckoutsOfCustomers reads a page of each customer's checkouts in one query (GRAPH-4). Every customer has a list.
	CheckoutsOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter CheckoutFilter, page domain.Page,
	) (map[string]domain.List[Checkout], error)
	// CheckoutsByTransaction returns the checkouts that became the transactions, keyed by transaction _id.
	CheckoutsByTransaction(ctx context.Context, seller ids.Seller, transactions []string) (map[string]Checkout, error)
	// CheckoutToChange reads the same as CheckoutForUpdate, without a lock.
	CheckoutToChange(ctx context.Context, seller ids.Seller, id string) (LockedCheckout, error)
	// SecretOfCheckout is the only look-up without a seller: it finds the seller that a buyer's call is for.
	SecretOfCheckout(ctx context.Context, id string) (ids.Seller, secrets.Digest, error)
}

// CheckoutTx is a database transaction on checkouts.
type CheckoutTx interface {
	domain.Tx
	// PublishAll publishes many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	InsertCheckout(ctx context.Context, checkout Checkout, secret secrets.Digest) error
	// CheckoutForUpdate reads and locks a checkout with everything its transitions depend on.
	CheckoutForUpdate(ctx context.Context, seller ids.Seller, id string) (LockedCheckout, error)
	UpdateCheckout(ctx context.Context, checkout Checkout) error
	// ExpiredCheckouts locks and returns up to most open checkouts whose time is over. It skips those that other transactions
	// have locked.
	ExpiredCheckouts(ctx context.Context, now time.Time, most int) ([]Checkout, error)
}

// LockedCheckout is a checkout with everything its transitions depend on, read in one statement.
type LockedCheckout struct {
	Checkout
	// Seller is the current state of the seller: name, country, features, configuration and shop origins.
	Seller tenant.Seller
	// HasEvent is false if the event was deleted in the meantime. RootEventID is its root event.
	HasEvent    bool
	RootEventID *string
}

// mustBeOpen also rejects a checkout whose event was deleted.
func (l LockedCheckout) mustBeOpen(now time.Time) error {
	err := l.Checkout.mustBeOpen(now)
	if err == nil && !l.HasEvent {
		err = domain.InvalidState("The event of this checkout was deleted")
	}
	return err
}
