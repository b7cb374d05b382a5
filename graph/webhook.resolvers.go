package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
	"ticketgate/domain/webhook"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *deliveryResolver) Webhook(ctx context.Context, obj *webhook.Delivery) (*webhook.Webhook, error) {
	return toOne(ctx, obj, webhookOfDelivery, r.Webhooks.ByID)
}

func (r *deliveryResolver) LastAttempt(ctx context.Context, obj *webhook.Delivery) (*webhook.Attempt, error) {
	return toOne(ctx, obj, idOfDelivery, r.Deliveries.LastAttempts)
}

func (r *deliveryResolver) Attempts(ctx context.Context, obj *webhook.Delivery, first *int, after *string, order domain.ListOrder) (*relay.Connection[webhook.Attempt], error) {
	return toMany(ctx, obj, idOfDelivery, nested[struct{}]{first, after, order, nil}, r.Deliveries.Attempts, webhook.Attempt.Cursor)
}

func (r *deliveryResolver) Payload(ctx context.Context, obj *webhook.Delivery) (*string, error) {
	return toOne(ctx, obj, idOfDelivery, r.Deliveries.Payloads)
}

func (r *deliveryResolver) Object(ctx context.Context, obj *webhook.Delivery) (relay.Record, error) {
	return toAny[webhook.Delivery, relay.Record](ctx, obj, idOfDelivery, r.objectsOf, r.records())
}

func (r *mutationResolver) CreateWebhook(ctx context.Context, input webhook.NewWebhook) (webhook.Webhook, error) {
	return r.Webhooks.Create(ctx, input)
}

func (r *mutationResolver) UpdateWebhook(ctx context.Context, id string, input webhook.Change) (webhook.Webhook, error) {
	return r.Webhooks.Update(ctx, id, input)
}

func (r *mutationResolver) DeleteWebhook(ctx context.Context, id string, expectedUpdatedAt *moment.DateTime) (webhook.Webhook, error) {
	return r.Webhooks.Delete(ctx, id, expectedUpdatedAt)
}

func (r *mutationResolver) SendTestEvent(ctx context.Context, id string, input webhook.TestEvent) (webhook.Delivery, error) {
	return r.Events.SendTest(ctx, id, input)
}

func (r *mutationResolver) RetryWebhookDelivery(ctx context.Context, id string) (webhook.Delivery, error) {
	return r.Deliveries.Retry(ctx, id)
}

func (r *mutationResolver) RetriggerDeliveries(ctx context.Context, input webhook.Retriggering) ([]webhook.Delivery, error) {
	deliveries, err := r.Deliveries.RetryMany(ctx, input)
	return notedAll(ctx, deliveries, err)
}

func (r *mutationResolver) PublishEvent(ctx context.Context, input webhook.NewEvent) (webhook.PublishedEvent, error) {
	return r.Events.Publish(ctx, input)
}

func (r *mutationResolver) PublishEvents(ctx context.Context, input webhook.NewEvents) ([]webhook.PublishedEvent, error) {
	return r.Events.PublishMany(ctx, input)
}

func (r *queryResolver) Webhooks(ctx context.Context, first *int, after *string, order domain.ListOrder) (relay.Connection[webhook.Webhook], error) {
	return connectAll(ctx, first, after, order, r.Resolver.Webhooks.List, func(w webhook.Webhook) string { return w.ID })
}

func (r *queryResolver) Webhook(ctx context.Context, id string) (*webhook.Webhook, error) {
	return ptr(r.Resolver.Webhooks.Get(ctx, id))
}

func (r *queryResolver) WebhookFigures(ctx context.Context, first *int, after *string, order domain.ListOrder, period webhook.Period) (relay.Connection[webhook.WebhookFigures], error) {
	figures := func(ctx context.Context, page domain.Page) (domain.List[webhook.WebhookFigures], error) {
		return r.Resolver.Webhooks.Figures(ctx, period, page)
	}
	return connectAll(ctx, first, after, order, figures, webhook.WebhookFigures.ID)
}

func (r *queryResolver) WebhookStatistics(ctx context.Context, id string, period webhook.Period) (*webhook.Statistics, error) {
	return ptr(r.Resolver.Webhooks.Statistics(ctx, id, period))
}

func (r *queryResolver) WebhookDeliveries(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *webhook.DeliveryFilter) (relay.Connection[webhook.Delivery], error) {
	return connect(ctx, first, after, order, filter, r.Deliveries.List, func(d webhook.Delivery) string { return d.ID })
}

func (r *queryResolver) Delivery(ctx context.Context, id string) (*webhook.Delivery, error) {
	return ptr(r.Deliveries.Find(ctx, id))
}

func (r *queryResolver) WebhookDelivery(ctx context.Context, id string) (*webhook.DeliveryDetail, error) {
	return ptr(r.Deliveries.Get(ctx, id))
}

func (r *queryResolver) CheckWebhookSignature(ctx context.Context, input webhook.SignatureCheck) (webhook.SignatureVerdict, error) {
	return r.Resolver.Webhooks.CheckSignature(ctx, input)
}

func (r *queryResolver) EventTypes(ctx context.Context) ([]webhook.EventKind, error) {
	return r.Resolver.Events.Types(ctx)
}

func (r *subscriptionResolver) WebhookDeliveriesChanged(ctx context.Context, webhookID *string) (<-chan string, error) {
	return r.Deliveries.Watch(ctx, texts.Of(webhookID))
}

func (r *webhookResolver) Deliveries(ctx context.Context, obj *webhook.Webhook, first *int, after *string, order domain.ListOrder, filter *webhook.DeliveryFilter) (*relay.Connection[webhook.Delivery], error) {
	return toMany(ctx, obj, idOfWebhook, nested[webhook.DeliveryFilter]{first, after, order, filter}, r.Resolver.Deliveries.OfWebhooks, webhook.Delivery.Cursor)
}

func (r *webhookResolver) Figures(ctx context.Context, obj *webhook.Webhook, period webhook.Period) (*webhook.PeriodFigures, error) {
	return toOne(ctx, obj, idOfWebhook, with(r.Webhooks.FiguresOf, period))
}

func (r *webhookResolver) Statistics(ctx context.Context, obj *webhook.Webhook, period webhook.Period) (*webhook.Statistics, error) {
	return toOne(ctx, obj, idOfWebhook, with(r.Webhooks.StatisticsOf, period))
}

func (r *Resolver) Delivery() generated.DeliveryResolver { return &deliveryResolver{r} }

func (r *Resolver) Webhook() generated.WebhookResolver { return &webhookResolver{r} }

type (
	deliveryResolver struct{ *Resolver }
	webhookResolver  struct{ *Resolver }
)
