package webhook

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Store reads and writes webhooks and deliveries. A record of another seller is NOT_FOUND.
type Store interface {
	EdgeStore
	InTx(ctx context.Context, f func(Tx) error) error
	// InLongTx is InTx for work on this number of rows. More than share.Ordinary rows wait for the seller's share, and
	// then run to the end even if the caller leaves. Use the context that f gets.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, Tx) error) error
	// PublishAll stores events with their deliveries, all or none, and returns their ids in order. Concurrent calls may
	// share the transaction.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	Webhook(ctx context.Context, seller ids.Seller, id string) (Webhook, error)
	Webhooks(ctx context.Context, seller ids.Seller, page domain.Page) (domain.List[Webhook], error)
	Delivery(ctx context.Context, seller ids.Seller, id string) (DeliveryDetail, error)
	Deliveries(ctx context.Context, seller ids.Seller, filter DeliveryFilter, page domain.Page) (domain.List[Delivery], error)
	// DeliveriesByID returns the existing deliveries with these ids, in the order of their ids.
	DeliveriesByID(ctx context.Context, seller ids.Seller, ids []string) ([]Delivery, error)
	// CancelDeliveries cancels up to CanceledAtOnce pending deliveries of a deleted webhook.
	CancelDeliveries(ctx context.Context, deleted Deleted, at moment.DateTime) ([]Recorded, error)
	// DeletedWebhooks returns the deleted webhooks of all sellers that may have pending deliveries. PurgeDeleted
	// removes one.
	DeletedWebhooks(ctx context.Context) ([]Deleted, error)
	PurgeDeleted(ctx context.Context, deleted Deleted) error
	// DeliveriesMark returns a text that changes whenever deliveries of a webhook, or of all, are created, canceled or
	// paused, or calls are made.
	DeliveriesMark(ctx context.Context, seller ids.Seller, webhookID string) (string, error)
	// WebhookFigures returns the seller's webhooks with their figures since a time.
	WebhookFigures(
		ctx context.Context, seller ids.Seller, from time.Time, page domain.Page,
	) (domain.List[WebhookFigures], error)
	// WebhookStatistics returns the figures of the webhooks' steps, in any order.
	WebhookStatistics(ctx context.Context, query StatisticsQuery) ([]CountedStep, error)
}

// EdgeStore reads the records that webhooks and deliveries lead to, for all of them in one query (GRAPH-1).
type EdgeStore interface {
	// FindDelivery returns a delivery without its requests and responses.
	FindDelivery(ctx context.Context, seller ids.Seller, id string) (Delivery, error)
	WebhooksByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Webhook, error)
	// FiguresOfWebhooks returns the figures since a time.
	FiguresOfWebhooks(
		ctx context.Context, seller ids.Seller, webhooks []string, from time.Time,
	) (map[string]PeriodFigures, error)
	DeliveriesOfWebhooks(
		ctx context.Context, seller ids.Seller, webhooks []string, filter DeliveryFilter, page domain.Page,
	) (map[string]domain.List[Delivery], error)
	LastAttempts(ctx context.Context, seller ids.Seller, deliveries []string) (map[string]Attempt, error)
	AttemptsOfDeliveries(
		ctx context.Context, seller ids.Seller, deliveries []string, page domain.Page,
	) (map[string]domain.List[Attempt], error)
	// Payloads returns the bodies of deliveries.
	Payloads(ctx context.Context, seller ids.Seller, deliveries []string) (map[string]string, error)
	// ObjectsOfDeliveries omits events whose resource has no _id.
	ObjectsOfDeliveries(ctx context.Context, seller ids.Seller, deliveries []string) (map[string]Object, error)
}

// Tx reads and writes webhooks and deliveries within a transaction.
type Tx interface {
	domain.Tx
	// LockWebhooks blocks concurrent creations for the seller, and returns its number of webhooks.
	LockWebhooks(ctx context.Context, seller ids.Seller) (int, error)
	CreateWebhook(ctx context.Context, webhook Webhook) error
	// WebhookForUpdate locks the webhook until the transaction ends.
	WebhookForUpdate(ctx context.Context, seller ids.Seller, id string) (Webhook, error)
	UpdateWebhook(ctx context.Context, webhook Webhook) error
	DeleteWebhook(ctx context.Context, seller ids.Seller, id string) error
	// PublishTest stores a test event with one delivery, to this webhook, and returns the delivery's id.
	PublishTest(ctx context.Context, event domain.Event, webhookID string) (string, error)
	// DeliveryForUpdate locks the delivery until the transaction ends, against attempts too.
	DeliveryForUpdate(ctx context.Context, seller ids.Seller, id string) (Delivery, error)
	// DeliveriesForUpdate is DeliveryForUpdate for many, in the order of their ids. It omits missing ones.
	DeliveriesForUpdate(ctx context.Context, seller ids.Seller, ids []string) ([]Delivery, error)
	// SetAside returns which deliveries wait for capacity of their listeners, and keeps them waiting until the
	// transaction ends.
	SetAside(ctx context.Context, deliveries ...Delivery) (map[string]bool, error)
	// MatchingDeliveriesForUpdate is DeliveriesForUpdate for the deliveries that match a filter, up to a maximum
	// number.
	MatchingDeliveriesForUpdate(ctx context.Context, seller ids.Seller, filter DeliveryFilter, most int) ([]Delivery, error)
	// UpdateRetriggered stores what Retrigger changed in many deliveries, and their jobs.
	UpdateRetriggered(ctx context.Context, verdicts []Verdict) error
	// UpdateDelivery stores the delivery and the jobs of the verdict.
	UpdateDelivery(ctx context.Context, verdict Verdict) error
}
