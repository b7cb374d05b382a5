package webhook

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Deliveries implements the operations on a seller's deliveries. All of them require the seller's webhooks feature
// (WEBHOOK-5).
type Deliveries struct {
	Store Store
	Now   func() time.Time
}

const deliveryName = "Webhook delivery"

// List returns the seller's deliveries that match. It requires webhooks:list, or a session with role DEVELOPER. An
// unknown webhook is NOT_FOUND.
func (s Deliveries) List(ctx context.Context, filter DeliveryFilter, page domain.Page) (domain.List[Delivery], error) {
	actor, err := domain.Authorize(ctx, domain.ListDeliveries)
	if err != nil {
		return domain.List[Delivery]{}, err
	}
	if err := filter.checkPage(page); err != nil {
		return domain.List[Delivery]{}, err
	}
	if err := s.checkNamed(ctx, actor.SellerID, filter.WebhookID); err != nil {
		return domain.List[Delivery]{}, err
	}
	return s.Store.Deliveries(ctx, actor.SellerID, filter, page)
}

// checkNamed returns NOT_FOUND if webhookID is given and the seller has no such webhook.
func (s Deliveries) checkNamed(ctx context.Context, seller ids.Seller, webhookID string) error {
	if webhookID == "" {
		return nil
	}
	_, err := s.Store.Webhook(ctx, seller, webhookID)
	return err
}

// Get returns a delivery with its payload and all attempts. It requires webhooks:list, or a session with role
// DEVELOPER.
func (s Deliveries) Get(ctx context.Context, id string) (DeliveryDetail, error) {
	actor, err := domain.Authorize(ctx, domain.GetDelivery)
	if err != nil {
		return DeliveryDetail{}, err
	}
	if !isID(id) {
		return DeliveryDetail{}, domain.NotFound(deliveryName)
	}
	return s.Store.Delivery(ctx, actor.SellerID, id)
}

// Find returns a delivery. It requires webhooks:list, or a session with role DEVELOPER.
func (s Deliveries) Find(ctx context.Context, id string) (Delivery, error) {
	actor, err := domain.Authorize(ctx, domain.FindDelivery)
	if err != nil {
		return Delivery{}, err
	}
	if !isID(id) {
		return Delivery{}, domain.NotFound(deliveryName)
	}
	return s.Store.FindDelivery(ctx, actor.SellerID, id)
}

// Watch sends the mark of the seller's deliveries, or of those of one webhook, and each later mark. The mark changes
// whenever deliveries are created or calls are made. It requires webhooks:list, or a session with role DEVELOPER, for
// as long as it runs.
func (s Deliveries) Watch(ctx context.Context, webhookID string) (<-chan string, error) {
	return domain.Watch(ctx, func(ctx context.Context) (string, error) {
		actor, err := domain.Authorize(ctx, domain.WatchDeliveries)
		if err != nil {
			return "", err
		}
		if err := s.checkNamed(ctx, actor.SellerID, webhookID); err != nil {
			return "", err
		}
		return s.Store.DeliveriesMark(ctx, actor.SellerID, webhookID)
	})
}

// Retry requests one more attempt of a delivery in any state, with the same id and bytes (WEBHOOK-4). The attempt does
// not count towards the retry schedule. It requires webhooks:update, or a session with role DEVELOPER. If the webhook
// is disabled or was deleted, the error is INVALID_STATE.
func (s Deliveries) Retry(ctx context.Context, id string) (Delivery, error) {
	arrived := s.Now() // before waiting for a lock: see Delivery.Retrigger
	actor, err := domain.Authorize(ctx, domain.RetryDelivery)
	if err != nil {
		return Delivery{}, err
	}
	if !isID(id) {
		return Delivery{}, domain.NotFound(deliveryName)
	}
	var verdict Verdict
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := tx.DeliveryForUpdate(ctx, actor.SellerID, id)
		if err != nil {
			return err
		}
		if err := retriable(ctx, tx, before); err != nil {
			return err
		}
		waits, err := tx.SetAside(ctx, before)
		if err != nil {
			return err
		}
		now := before
		if waits[id] {
			now = now.deferScheduled(arrived)
		}
		var changed bool
		verdict, changed = now.Retrigger(arrived)
		tx.SetResponse(verdict.Delivery)
		if !changed {
			return nil
		}
		if err := tx.UpdateDelivery(ctx, verdict); err != nil {
			return err
		}
		return tx.Audit(ctx, domain.Change{
			SellerID: actor.SellerID, Action: domain.RetryDelivery, Object: "webhookDelivery", ObjectID: id,
		}.Diff(nil, map[string]any{"attempts": before.AttemptCount, "state": before.State}))
	})
	return verdict.Delivery, err
}

// retriable returns INVALID_STATE if the delivery's webhook was deleted or is disabled.
func retriable(ctx context.Context, tx Tx, d Delivery) error {
	webhook, err := tx.WebhookForUpdate(ctx, d.SellerID, d.WebhookID)
	switch {
	case domain.HasCode(err, domain.CodeNotFound):
		return domain.InvalidState("The webhook of this delivery was deleted")
	case err != nil:
		return err
	case !webhook.Enabled:
		return domain.InvalidState("The webhook of this delivery is disabled. Enable it first")
	}
	return nil
}
