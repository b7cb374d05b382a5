package webhook

import (
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// State is the state of a delivery.
type State string

// The states. A delivery is pending while an attempt is still to be made, automatically or by a manual retry.
const (
	Pending   State = "pending"
	Delivered State = "delivered"
	Failed    State = "failed"   // the retry schedule is exhausted
	Canceled  State = "canceled" // the webhook was deleted or disabled, or the seller lost the feature
)

// States returns all states, for filters.
func States() []State { return []State{Pending, Delivered, Failed, Canceled} }

// Delivery is the delivery of one event to one webhook. Its id is the id in the body.
type Delivery struct {
	ID        string           `json:"id"`
	SellerID  ids.Seller       `json:"sellerId"`
	WebhookID string           `json:"webhookId"`
	EventID   string           `json:"eventId"`
	Type      domain.EventType `json:"type"`
	State     State            `json:"state"`
	// Paused reports whether the delivery is pending while its webhook is disabled or its seller lacks the feature. It
	// is set only when deliveries are read for display.
	Paused bool `json:"paused"`
	// AttemptCount is the number of calls made, numbered from 1 without gaps. ScheduledCount is the number of those
	// that the retry schedule made. The others were manual.
	AttemptCount   int `json:"attemptCount"`
	ScheduledCount int `json:"scheduledCount"`
	// Outcome is the result of the latest call: the HTTP status or the kind of failure. It is empty before the first
	// call.
	Outcome string `json:"outcome,omitempty"`
	// RetryRequested reports whether a manual attempt was requested and has not finished.
	RetryRequested bool             `json:"retryRequested"`
	RetriggeredAt  *moment.DateTime `json:"retriggeredAt,omitempty"`
	// NextAttemptAt is when the next scheduled attempt is due, or nil if there is none.
	NextAttemptAt *moment.DateTime `json:"nextAttemptAt,omitempty"`
	DeliveredAt   *moment.DateTime `json:"deliveredAt,omitempty"`
	// FailedAt is when the call started with which the schedule was exhausted. A later manual success does not clear
	// it. It is not part of the wire format.
	FailedAt  *moment.DateTime `json:"-"`
	CreatedAt moment.DateTime  `json:"createdAt"`
	UpdatedAt moment.DateTime  `json:"updatedAt"`
}

// Cursor returns the delivery's position in a list.
func (d Delivery) Cursor() domain.Cursor { return domain.Cursor{ID: d.ID} }

// DeliveryDetail is a delivery with all requests and responses.
type DeliveryDetail struct {
	Delivery
	// Payload is the body, byte for byte as it is sent and signed.
	Payload string `json:"payload"`
	// Attempts are in chronological order.
	Attempts []Attempt `json:"attempts"`
}

// Queue is the queue of a job. Separate queues keep one kind of attempt from waiting behind another.
type Queue uint8

// The queues: first attempts, scheduled retries, and manual attempts.
const (
	FirstQueue Queue = iota
	RetryQueue
	ManualQueue
)

// Job schedules a check of a delivery. Whether an attempt follows is decided by NextAction at that time.
type Job struct {
	DeliveryID string
	WebhookID  string
	// HandOver reports whether the delivery hands over an invoice. DeliveryID is then the invoice's _id.
	HandOver bool
	Queue    Queue
	At       time.Time // zero means at once
	// Trace identifies the trace that caused it, as in Event.Trace.
	Trace string
}

// Outgoing holds what one attempt needs. URL and key are the webhook's current ones. The body of a delivery never
// changes (WEBHOOK-1).
type Outgoing struct {
	Delivery Delivery
	// Wanted reports whether the webhook exists and is enabled, and its seller has the feature.
	Wanted bool
	URL    string
	Key    []byte
	Body   []byte
	// Fault says why this process can't make the attempt: the event has the format of another version, or the key is
	// encrypted with a secret key that this process lacks. Another process may be able to.
	Fault error
}

// due reports whether the next scheduled attempt is due or running.
func (d Delivery) due(now time.Time) bool {
	return d.State == Pending && d.NextAttemptAt != nil && !d.NextAttemptAt.After(now)
}

// Cancel cancels the attempts still to be made. A delivery that was delivered or had failed before returns to that
// state.
func (d Delivery) Cancel(now time.Time) Delivery {
	d.RetryRequested, d.NextAttemptAt = false, nil
	d.State = d.settled()
	d.UpdatedAt = moment.New(now)
	return d
}

// CancelResult returns the result of Cancel. Only a delivery with an open schedule reaches its final state by it.
// Otherwise only a manual attempt is canceled, and the delivery had reached its final state before.
func (d Delivery) CancelResult(now time.Time) Recorded {
	result := Recorded{After: d.Cancel(now), OK: true}
	if d.NextAttemptAt != nil {
		result.Ended = result.After.State
	}
	return result
}
