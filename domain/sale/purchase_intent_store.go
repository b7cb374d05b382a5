package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
)

// PurchaseIntentStore is the database access of purchase intents. Records of other sellers are NOT_FOUND.
type PurchaseIntentStore interface {
	RefusalStore
	catalog.Reader
	InTx(ctx context.Context, f func(PurchaseIntentTx) error) error
	// IdentificationOf returns the seller's identification configuration.
	IdentificationOf(ctx context.Context, seller ids.Seller) (identification.Seller, error)
	PurchaseIntent(ctx context.Context, seller ids.Seller, id string) (PurchaseIntent, error)
	PurchaseIntentsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]PurchaseIntent, error)
	// PurchaseIntents lists purchase intents by _id.
	PurchaseIntents(
		ctx context.Context, seller ids.Seller, filter PurchaseIntentFilter, page domain.Page,
	) (domain.List[PurchaseIntent], error)
	// PurchaseIntentsOfCustomers reads a page of each customer's purchase intents in one query (GRAPH-4). Every customer has
	// a list.
	PurchaseIntentsOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter PurchaseIntentFilter, page domain.Page,
	) (map[string]domain.List[PurchaseIntent], error)
}

// PurchaseIntentTx is a database transaction on purchase intents.
type PurchaseIntentTx interface {
	domain.Tx
	catalog.Reader
	// PublishAll publishes many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	InsertPurchaseIntent(ctx context.Context, intent PurchaseIntent) error
	// PurchaseIntentForUpdate reads and locks a purchase intent.
	PurchaseIntentForUpdate(ctx context.Context, seller ids.Seller, id string) (PurchaseIntent, error)
	UpdatePurchaseIntent(ctx context.Context, intent PurchaseIntent) error
	// DuePurchaseIntents locks and returns up to most open purchase intents whose time is over, the longest overdue first. It
	// skips those that other transactions have locked.
	DuePurchaseIntents(ctx context.Context, now time.Time, most int) ([]PurchaseIntent, error)
}
