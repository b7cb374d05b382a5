package webhook

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Store is what this area needs of a database. What another seller has is NOT_FOUND.
type Store interface {
	EdgeStore
	InTx(ctx context.Context, f func(Tx) error) error
	// InLongTx is InTx for work on so many rows: more than share.Ordinary of them wait for the seller's share and are then
	// done whatever becomes of the caller. The context of f is the one to go on with.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, Tx) error) error
	// PublishAll stores events with their deliveries, all or none, in a transaction that others may share. It returns
	// their ids, in order.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	Webhook(ctx context.Context, seller ids.Seller, id string) (Webhook, error)
	Webhooks(ctx context.Context, seller ids.Seller, page domain.Page) (domain.List[Webhook], error)
	Delivery(ctx context.Context, seller ids.Seller, id string) (DeliveryDetail, error)
	Deliveries(ctx context.Context, seller ids.Seller, filter DeliveryFilter, page domain.Page) (domain.List[Delivery], error)
	// DeliveriesByID reads those with the ids, in their order; those that are not there are left out.
	DeliveriesByID(ctx context.Context, seller ids.Seller, ids []string) ([]Delivery, error)
	// CancelDeliveries ends pending deliveries of a deleted webhook, at most CanceledAtOnce.
	CancelDeliveries(ctx context.Context, deleted Deleted, at moment.DateTime) ([]Recorded, error)
	// DeletedWebhooks lists webhooks whose deliveries may still be pending, of all sellers, until ForgetDeleted.
	DeletedWebhooks(ctx context.Context) ([]Deleted, error)
	ForgetDeleted(ctx context.Context, deleted Deleted) error
	// DeliveriesMark is another text whenever deliveries came, were canceled or paused, or calls were made, of a webhook or of all.
	DeliveriesMark(ctx context.Context, seller ids.Seller, webhookID string) (string, error)
	// WebhookFigures are the seller's webhooks with their figures from a moment on.
	WebhookFigures(
		ctx context.Context, seller ids.Seller, from time.Time, page domain.Page,
	) (domain.List[WebhookFigures], error)
	// WebhookStatistics are the figures of the webhooks' steps, in any order.
	WebhookStatistics(ctx context.Context, query StatisticsQuery) ([]CountedStep, error)
}

// EdgeStore reads what webhooks and deliveries lead to, for all of them in one query (GRAPH-1).
type EdgeStore interface {
	// FindDelivery reads a delivery without what was sent and received.
	FindDelivery(ctx context.Context, seller ids.Seller, id string) (Delivery, error)
	WebhooksByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Webhook, error)
	// FiguresOfWebhooks are the figures from a time on.
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
	// Payloads are the bodies of deliveries.
	Payloads(ctx context.Context, seller ids.Seller, deliveries []string) (map[string]string, error)
	// ObjectsOfDeliveries leaves out those of events about nothing with an _id.
	ObjectsOfDeliveries(ctx context.Context, seller ids.Seller, deliveries []string) (map[string]Object, error)
}

// Tx is what a transaction offers to this area.
type Tx interface {
	domain.Tx
	// LockWebhooks makes other creations for the seller wait, and returns how many webhooks it has.
	LockWebhooks(ctx context.Context, seller ids.Seller) (int, error)
	CreateWebhook(ctx context.Context, webhook Webhook) error
	// WebhookForUpdate keeps others from changing the webhook until the transaction ends.
	WebhookForUpdate(ctx context.Context, seller ids.Seller, id string) (Webhook, error)
	UpdateWebhook(ctx context.Context, webhook Webhook) error
	DeleteWebhook(ctx context.Context, seller ids.Seller, id string) error
	// DeliveryForUpdate keeps others, attempts included, from changing the delivery until the transaction ends.
	DeliveryForUpdate(ctx context.Context, seller ids.Seller, id string) (Delivery, error)
	// DeliveriesForUpdate is DeliveryForUpdate for many, in the order of their ids; those that are not there are left out.
	DeliveriesForUpdate(ctx context.Context, seller ids.Seller, ids []string) ([]Delivery, error)
	// SetAside tells which deliveries wait for room at their listeners, and keeps them waiting until the transaction ends.
	SetAside(ctx context.Context, deliveries ...Delivery) (map[string]bool, error)
	// MatchingDeliveriesForUpdate is the same for those that a filter selects, at most so many.
	MatchingDeliveriesForUpdate(ctx context.Context, seller ids.Seller, filter DeliveryFilter, most int) ([]Delivery, error)
	// UpdateRetriggered stores what Retrigger has changed in many deliveries, and their wake-ups.
	UpdateRetriggered(ctx context.Context, verdicts []Verdict) error
	// UpdateDelivery stores the delivery and the wake-ups that the verdict asks for.
	UpdateDelivery(ctx context.Context, verdict Verdict) error
}
