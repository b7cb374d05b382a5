package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// CheckoutStore is what checkouts need of a database. What another seller has is NOT_FOUND.
type CheckoutStore interface {
	RefusalStore
	InTx(ctx context.Context, f func(CheckoutTx) error) error
	// Complete locks a checkout, has sell complete it and stores the sale, all in one commit and once. Calls that come at the same
	// time share it: the error of one is nothing to the others. Sell may be called again, and not after Complete has returned.
	Complete(ctx context.Context, seller ids.Seller, id string, sell func(LockedCheckout) (Sale, error)) (Checkout, error)
	Checkout(ctx context.Context, seller ids.Seller, id string) (Checkout, error)
	CheckoutsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Checkout, error)
	// Checkouts lists by _id (decisions 3.2).
	Checkouts(ctx context.Context, seller ids.Seller, filter CheckoutFilter, page domain.Page) (domain.List[Checkout], error)
	// CheckoutsOfCustomers reads a page of each customer's checkouts in one query: those that name the customer and, of those
	// that name none, those that have the customer's email address. Every customer has a list.
	CheckoutsOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter CheckoutFilter, page domain.Page,
	) (map[string]domain.List[Checkout], error)
	// CheckoutsByTransaction finds the checkouts that became the transactions, by the _id of the transaction.
	CheckoutsByTransaction(ctx context.Context, seller ids.Seller, transactions []string) (map[string]Checkout, error)
	// CheckoutToChange reads what CheckoutForUpdate reads, without a lock.
	CheckoutToChange(ctx context.Context, seller ids.Seller, id string) (LockedCheckout, error)
	// SecretOfCheckout is the one look-up that knows no seller yet: it finds out on whose the buyer acts.
	SecretOfCheckout(ctx context.Context, id string) (ids.Seller, secrets.Digest, error)
}

// CheckoutTx is what a database transaction offers to checkouts.
type CheckoutTx interface {
	domain.Tx
	// PublishAll is Publish for many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	InsertCheckout(ctx context.Context, checkout Checkout, secret secrets.Digest) error
	// CheckoutForUpdate reads a checkout with what its moves depend on, and keeps others from changing it.
	CheckoutForUpdate(ctx context.Context, seller ids.Seller, id string) (LockedCheckout, error)
	UpdateCheckout(ctx context.Context, checkout Checkout) error
	// ExpiredCheckouts locks open checkouts whose time is over, those that nobody else has locked, and some at most.
	ExpiredCheckouts(ctx context.Context, now time.Time, most int) ([]Checkout, error)
}

// LockedCheckout is a checkout and what its moves depend on, read in one statement.
type LockedCheckout struct {
	Checkout
	// Seller is the seller by now: its name, country, module and configuration, and the origins of its shops.
	Seller tenant.Seller
	// HasEvent is false when the event was deleted meanwhile; RootEventID is its root event.
	HasEvent    bool
	RootEventID *string
}

// mustBeOpen also refuses what could not be sold any more.
func (l LockedCheckout) mustBeOpen(now time.Time) error {
	err := l.Checkout.mustBeOpen(now)
	if err == nil && !l.HasEvent {
		err = domain.InvalidState("The event of this checkout was deleted")
	}
	return err
}
