package webhook

import "ticketgate/domain"

// The audit log's actions for deliveries that Ticketgate gave up by itself.
const (
	giveUpDelivery domain.Operation = "giveUpWebhookDelivery"
	giveUpHandOver domain.Operation = "giveUpInvoiceHandOver"
)

// GivenUp returns the audit entry for a delivery whose retry schedule was exhausted by this attempt. No more attempts
// are made automatically. It reports false for all other deliveries.
func (v Verdict) GivenUp(last Attempt) (domain.Change, bool) {
	return v.givenUp(giveUpDelivery, "webhookDelivery", last)
}

// HandOverGivenUp is GivenUp for the hand-over of an invoice. The delivery's id is the invoice's _id.
func (v Verdict) HandOverGivenUp(last Attempt) (domain.Change, bool) {
	return v.givenUp(giveUpHandOver, "invoice", last)
}

func (v Verdict) givenUp(action domain.Operation, object string, last Attempt) (domain.Change, bool) {
	if v.End() != Failed {
		return domain.Change{}, false
	}
	d := v.Delivery
	after := map[string]any{"state": Failed, "attempts": d.AttemptCount}
	if d.WebhookID != "" {
		after["webhookId"] = d.WebhookID
	}
	if last.Status != nil {
		after["status"] = *last.Status
	}
	if last.Failure != nil {
		after["failure"] = *last.Failure
	}
	change := domain.Change{SellerID: d.SellerID, Action: action, Object: object, ObjectID: d.ID}
	return change.Diff(map[string]any{"state": Pending}, after), true
}
