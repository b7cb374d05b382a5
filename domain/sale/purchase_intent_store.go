package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
)

// PurchaseIntentStore is what purchase intents need of a database. What another seller has is NOT_FOUND.
type PurchaseIntentStore interface {
	RefusalStore
	catalog.Reader
	InTx(ctx context.Context, f func(PurchaseIntentTx) error) error
	// IdentificationOf reads what the seller asks of its buyers.
	IdentificationOf(ctx context.Context, seller ids.Seller) (identification.Seller, error)
	PurchaseIntent(ctx context.Context, seller ids.Seller, id string) (PurchaseIntent, error)
	PurchaseIntentsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]PurchaseIntent, error)
	// PurchaseIntents lists by _id (decisions 3.2).
	PurchaseIntents(
		ctx context.Context, seller ids.Seller, filter PurchaseIntentFilter, page domain.Page,
	) (domain.List[PurchaseIntent], error)
	// PurchaseIntentsOfCustomers reads a page of each customer's purchase intents in one query: those that name the customer and, of
	// those that name none, those with the customer's email address. Every customer has a list.
	PurchaseIntentsOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter PurchaseIntentFilter, page domain.Page,
	) (map[string]domain.List[PurchaseIntent], error)
}

// PurchaseIntentTx is what a database transaction offers to purchase intents.
type PurchaseIntentTx interface {
	domain.Tx
	catalog.Reader
	// PublishAll is Publish for many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	InsertPurchaseIntent(ctx context.Context, intent PurchaseIntent) error
	// PurchaseIntentForUpdate keeps others from changing it until the database transaction ends.
	PurchaseIntentForUpdate(ctx context.Context, seller ids.Seller, id string) (PurchaseIntent, error)
	UpdatePurchaseIntent(ctx context.Context, intent PurchaseIntent) error
	// DuePurchaseIntents locks open ones whose time is over, those that wait longest first, and leaves out those that others
	// have locked.
	DuePurchaseIntents(ctx context.Context, now time.Time, most int) ([]PurchaseIntent, error)
}
