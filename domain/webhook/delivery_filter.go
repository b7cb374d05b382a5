package webhook

import (
	"regexp"

	"ticketgate/domain"
)

// DeliveryFilter narrows a list of deliveries; a zero member is no filter.
type DeliveryFilter struct {
	WebhookID string
	State     State
	Type      domain.EventType
	// Outcome is how the latest call ended, see Attempt.Outcome.
	Outcome string
	// ObjectID is the _id of the resource that the event is about.
	ObjectID string
	From     *domain.DateTime // of the event, inclusive
	Until    *domain.DateTime // exclusive
}

// outcomePattern is what an outcome looks like: a status of three digits, or a kind of failure.
var outcomePattern = regexp.MustCompile(`^([0-9]{3}|[a-z_]{1,40})$`)

// Check tells everything that is wrong with the filter, by its own members.
func (f DeliveryFilter) Check() error {
	var problems domain.Problems
	switch f.State {
	case "", Pending, Delivered, Failed, Canceled:
	default:
		problems.Add("state", "must be one of pending, delivered, failed, canceled")
	}
	if f.Type != "" && !f.Type.Valid() {
		refuseType(&problems, "type", f.Type)
	}
	if f.Outcome != "" && !outcomePattern.MatchString(f.Outcome) {
		problems.Add("outcome", "must be an HTTP status such as 503, or a kind of failure such as timeout")
	}
	if f.ObjectID != "" {
		problems.Length("objectId", f.ObjectID, maxObjectID)
	}
	if f.From != nil && f.Until != nil && !f.From.Before(f.Until.Time) {
		problems.Add("until", "must be after from")
	}
	return problems.Err()
}
