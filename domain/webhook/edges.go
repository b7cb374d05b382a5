package webhook

import (
	"context"

	"ticketgate/domain"
)

// Object identifies the record that a delivery's event is about.
type Object struct {
	Type domain.EventType
	// ID is the _id of the record.
	ID string
}

// Resource returns the field of the event's data that holds the record, such as transaction.
func (o Object) Resource() string {
	kind, _ := o.Type.Kind()
	if len(kind.Data) == 0 {
		return ""
	}
	return kind.Data[0]
}

// ByID returns the seller's webhooks with these ids, in one query (GRAPH-1). It requires webhooks:list, or a session
// with role DEVELOPER.
func (s Webhooks) ByID(ctx context.Context, ids []string) (map[string]Webhook, error) {
	return domain.Read(ctx, domain.GetWebhook, s.Store.WebhooksByID, ids)
}

// FiguresOf returns the figures of webhooks in a period, in one query (GRAPH-1). It requires webhooks:list, or a
// session with role DEVELOPER.
func (s Webhooks) FiguresOf(ctx context.Context, ids []string, period Period) (map[string]PeriodFigures, error) {
	actor, err := domain.Authorize(ctx, domain.ListWebhookFigures)
	if err != nil {
		return nil, err
	}
	if err := period.check(); err != nil {
		return nil, err
	}
	from, _ := period.window(s.Now())
	return s.Store.FiguresOfWebhooks(ctx, actor.SellerID, ids, from)
}

// StatisticsOf returns the statistics of webhooks in a period, in one query (GRAPH-1). It requires webhooks:list, or a
// session with role DEVELOPER.
func (s Webhooks) StatisticsOf(ctx context.Context, ids []string, period Period) (map[string]Statistics, error) {
	actor, err := domain.Authorize(ctx, domain.GetWebhookStatistics)
	if err != nil {
		return nil, err
	}
	if err := period.check(); err != nil {
		return nil, err
	}
	return s.statistics(ctx, actor.SellerID, ids, period)
}

// OfWebhooks returns a page of the matching deliveries of each webhook, in one query (GRAPH-1). It requires
// webhooks:list, or a session with role DEVELOPER.
func (s Deliveries) OfWebhooks(
	ctx context.Context, webhooks []string, filter DeliveryFilter, page domain.Page,
) (map[string]domain.List[Delivery], error) {
	actor, err := domain.Authorize(ctx, domain.ListDeliveries)
	if err != nil {
		return nil, err
	}
	if err := filter.checkPage(page); err != nil {
		return nil, err
	}
	return s.Store.DeliveriesOfWebhooks(ctx, actor.SellerID, webhooks, filter, page)
}

// LastAttempts returns the latest attempt of each delivery, in one query (GRAPH-1). It requires webhooks:list, or a
// session with role DEVELOPER.
func (s Deliveries) LastAttempts(ctx context.Context, ids []string) (map[string]Attempt, error) {
	return domain.Read(ctx, domain.GetDelivery, s.Store.LastAttempts, ids)
}

// Attempts returns a page of the attempts of each delivery, in one query (GRAPH-1). It requires webhooks:list, or a
// session with role DEVELOPER.
func (s Deliveries) Attempts(
	ctx context.Context, ids []string, _ struct{}, page domain.Page,
) (map[string]domain.List[Attempt], error) {
	actor, err := domain.Authorize(ctx, domain.GetDelivery)
	if err != nil {
		return nil, err
	}
	if page.After != nil && !isNumber(page.After.ID) {
		return nil, domain.Invalid("after", domain.NotACursor)
	}
	return s.Store.AttemptsOfDeliveries(ctx, actor.SellerID, ids, page)
}

// Payloads returns the exact body of each delivery, in one query (GRAPH-1). It requires webhooks:list, or a session
// with role DEVELOPER.
func (s Deliveries) Payloads(ctx context.Context, ids []string) (map[string]string, error) {
	return domain.Read(ctx, domain.GetDelivery, s.Store.Payloads, ids)
}

// Objects returns the records that the events of deliveries are about, in one query (GRAPH-1). It omits events whose
// resource has no _id. It requires webhooks:list, or a session with role DEVELOPER.
func (s Deliveries) Objects(ctx context.Context, ids []string) (map[string]Object, error) {
	return domain.Read(ctx, domain.GetDelivery, s.Store.ObjectsOfDeliveries, ids)
}
