package webhook

import "ticketgate/domain"

// The actions in the audit log that nobody asks for: the product gives up what could not be delivered.
const (
	giveUpDelivery domain.Operation = "giveUpWebhookDelivery"
	giveUpHandOver domain.Operation = "giveUpInvoiceHandOver"
)

// GivenUp is the entry of the audit log for a delivery whose schedule has run out with the attempt: no further one comes by
// itself, and nobody was there to see it. It is false for every other one.
func (v Verdict) GivenUp(last Attempt) (domain.Change, bool) {
	return v.givenUp(giveUpDelivery, "webhookDelivery", last)
}

// HandOverGivenUp is GivenUp for the hand-over of an invoice, whose _id the delivery has.
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
