package webhook

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/optional"
)

// TestEvent is the input of sendTestEvent.
type TestEvent struct {
	Type domain.EventType `json:"type"`
	// Data is the data of the event. If omitted or null, it is the sample of the type.
	Data optional.Value[ecmajson.Value] `json:"data"`
}

// SendTest sends a test event of any type to one webhook, whether or not the webhook selects the type, and returns the
// delivery (WEBHOOK-9). It requires webhooks:update, or a session with role DEVELOPER. If the webhook is disabled, the
// error is INVALID_STATE.
func (s Events) SendTest(ctx context.Context, webhookID string, input TestEvent) (Delivery, error) {
	actor, err := domain.Authorize(ctx, domain.SendTestEvent)
	if err != nil {
		return Delivery{}, err
	}
	event := NewEvent{Type: input.Type, Data: input.Data.Or(Sample(input.Type))}
	data, err := event.check(s.Resources)
	if err != nil {
		return Delivery{}, err
	}
	var sent Delivery
	err = s.Store.InTx(ctx, func(tx Tx) error {
		webhook, err := tx.WebhookForUpdate(ctx, actor.SellerID, webhookID)
		if err != nil {
			return err
		}
		if !webhook.Enabled {
			return domain.InvalidState("The webhook is disabled. Enable it first")
		}
		id, err := tx.PublishTest(ctx, event.event(actor.SellerID, data), webhookID)
		if err != nil {
			return err
		}
		if sent, err = tx.DeliveryForUpdate(ctx, actor.SellerID, id); err != nil {
			return err
		}
		tx.SetResponse(sent)
		return tx.Audit(ctx, webhook.auditEntry(domain.SendTestEvent).Diff(nil, map[string]any{"type": input.Type, "delivery": id}))
	})
	return sent, err
}
