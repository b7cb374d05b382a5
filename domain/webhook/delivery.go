package webhook

import (
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// State is how far a delivery is.
type State string

// The states. A delivery is pending as long as an attempt is to come, whether the schedule or a person asks for it.
const (
	Pending   State = "pending"
	Delivered State = "delivered"
	Failed    State = "failed"   // the schedule has run out
	Canceled  State = "canceled" // the webhook was deleted or disabled, or the seller lost the feature
)

// States lists every state, for filters.
func States() []State { return []State{Pending, Delivered, Failed, Canceled} }

// Delivery is one event on its way to one webhook. Its id is the id of the body (decisions 7.3).
type Delivery struct {
	ID        string           `json:"id"`
	SellerID  ids.Seller       `json:"sellerId"`
	WebhookID string           `json:"webhookId"`
	EventID   string           `json:"eventId"`
	Type      domain.EventType `json:"type"`
	State     State            `json:"state"`
	// Paused reports that it is pending and its webhook is disabled, or its seller lacks the feature. Only what is read to be
	// shown has it.
	Paused bool `json:"paused"`
	// AttemptCount is the number of calls made, which are numbered from 1 without gaps. ScheduledCount are those
	// of them that the retry schedule made; the others were asked for by hand.
	AttemptCount   int `json:"attemptCount"`
	ScheduledCount int `json:"scheduledCount"`
	// Outcome is how its latest call ended: the HTTP status or the kind of failure; absent before the first.
	Outcome string `json:"outcome,omitempty"`
	// RetryRequested tells that somebody has asked for an attempt that is not finished yet.
	RetryRequested bool             `json:"retryRequested"`
	RetriggeredAt  *moment.DateTime `json:"retriggeredAt,omitempty"`
	// NextAttemptAt is when the schedule's next attempt is due; absent when there is none.
	NextAttemptAt *moment.DateTime `json:"nextAttemptAt,omitempty"`
	DeliveredAt   *moment.DateTime `json:"deliveredAt,omitempty"`
	// FailedAt is when the call began with which the schedule ran out, also after a later success by hand. The
	// specification's deliveries have no such member.
	FailedAt  *moment.DateTime `json:"-"`
	CreatedAt moment.DateTime  `json:"createdAt"`
	UpdatedAt moment.DateTime  `json:"updatedAt"`
}

// Cursor is the delivery's position in a list.
func (d Delivery) Cursor() domain.Cursor { return domain.Cursor{ID: d.ID} }

// DeliveryDetail is a delivery with everything that was sent and received (spec 6.2.8).
type DeliveryDetail struct {
	Delivery
	// Payload is the body, byte for byte as it is sent and signed.
	Payload string `json:"payload"`
	// Attempts are in the order they were made.
	Attempts []Attempt `json:"attempts"`
}

// Lane is which of the queues a wake-up stands in, so that one kind of attempt never waits behind another.
type Lane uint8

// The lanes: the first attempt of a delivery, further attempts of the schedule, attempts by hand.
const (
	FirstLane Lane = iota
	RetryLane
	ByHandLane
)

// WakeUp asks for a look at a delivery at a time. It is no promise of an attempt: Turn decides when the time comes.
type WakeUp struct {
	DeliveryID string
	WebhookID  string
	// HandOver tells that the delivery is the hand-over of an invoice, whose _id it has.
	HandOver bool
	Lane     Lane
	At       time.Time // the zero time is at once
	// Trace names what it comes of, as Event.Trace does.
	Trace string
}

// Outgoing is what one attempt needs, as it is at that moment: URL and key are the webhook's present ones, the body
// is the delivery's for good (decisions 7.3).
type Outgoing struct {
	Delivery Delivery
	// Wanted tells that the webhook still exists, is enabled, and that its seller has the feature.
	Wanted bool
	URL    string
	Key    []byte
	Body   []byte
	// Fault is why this process can't make the attempt: another version made the event, or the key is sealed with a secret key
	// that it does not hold. Another process may.
	Fault error
}

// due tells whether the schedule's next attempt may be made, running or about to run.
func (d Delivery) due(now time.Time) bool {
	return d.State == Pending && d.NextAttemptAt != nil && !d.NextAttemptAt.After(now)
}

// Cancel ends a delivery that nobody wants any more. What was delivered or had failed before stays so.
func (d Delivery) Cancel(now time.Time) Delivery {
	d.RetryRequested, d.NextAttemptAt = false, nil
	d.State = d.settled()
	d.UpdatedAt = moment.New(now)
	return d
}

// CalledOff is what becomes of a delivery with Cancel. That is its end only while its schedule was open: what had ended before was
// asked for again, and that alone is called off.
func (d Delivery) CalledOff(now time.Time) Recorded {
	called := Recorded{After: d.Cancel(now), OK: true}
	if d.NextAttemptAt != nil {
		called.Ended = called.After.State
	}
	return called
}
