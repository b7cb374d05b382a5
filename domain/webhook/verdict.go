package webhook

import (
	"time"

	"ticketgate/domain/moment"
)

// Turn is what a wake-up leads to.
type Turn uint8

// The turns. Nothing means that the wake-up is outdated; any remaining work has its own wake-up. Later means that a manual
// attempt is running, and the scheduled one follows it.
const (
	Nothing Turn = iota
	Later
	Go
)

// skew is how much too early a wake-up may come because the clocks of the server and the database differ.
const skew = 2 * time.Second

// Turn decides whether a wake-up in a lane, scheduled for the time meant, leads to an attempt. A job may run twice,
// or late, or
// after the delivery has changed, so only the state of the delivery decides.
func (d Delivery) Turn(lane Lane, meant, now time.Time) Turn {
	// A first attempt is always due, whatever the clocks of two servers say.
	first := lane == FirstLane && d.ScheduledCount == 0 && d.State == Pending && d.NextAttemptAt != nil
	switch {
	case lane == ByHandLane && d.RetryRequested:
		return Go
	case lane == ByHandLane || (!first && !d.due(now.Add(skew))) || d.wentOn(meant):
		return Nothing
	case d.RetryRequested && d.RetriggeredAt != nil && d.RetriggeredAt.Before(d.NextAttemptAt.Time):
		return Later
	}
	return Go
}

// wentOn reports whether a later attempt has been scheduled since the wake-up for the time meant was created.
func (d Delivery) wentOn(meant time.Time) bool {
	return d.ScheduledCount > 0 && d.NextAttemptAt.After(meant.Add(skew))
}

// Verdict is the new state of a delivery, with the wake-ups that it needs and what the attempt adds to the figures.
type Verdict struct {
	Delivery Delivery
	WakeUps  []WakeUp
	Figures  Figures
	// NoFailure is when the delivery failed, if this attempt delivers it after all. It then no longer counts as failed.
	NoFailure *moment.DateTime
}

// End returns the final state that the delivery reached with the attempt: Delivered by its first success, Failed when the
// schedule was exhausted, otherwise "". Later manual attempts that fail don't end it again.
func (v Verdict) End() State {
	switch {
	case v.Figures.Delivered > 0:
		return Delivered
	case v.Figures.Failed > 0:
		return Failed
	}
	return ""
}

// Recorded returns the result of storing the attempt with its verdict.
func (v Verdict) Recorded() Recorded { return Recorded{After: v.Delivery, Ended: v.End(), OK: true} }

// In sets the trace of the wake-ups.
func (v Verdict) In(trace string) Verdict {
	for i := range v.WakeUps {
		v.WakeUps[i].Trace = trace
	}
	return v
}

// Judge decides how an attempt's outcome changes its delivery. A success delivers it. After a failure, the next retry is
// scheduled, or the schedule is exhausted. A manual attempt leaves the schedule as it is. Random is in [0, 1).
func (s RetrySchedule) Judge(d Delivery, a Attempt, random float64) Verdict {
	verdict := s.judge(d, a, random)
	verdict.Figures = figuresOf(d, a, verdict.Delivery)
	if verdict.Figures.Delivered > 0 {
		verdict.NoFailure = d.FailedAt
	}
	return verdict
}

func (s RetrySchedule) judge(d Delivery, a Attempt, random float64) Verdict {
	ended := a.endedAt()
	d.AttemptCount, d.UpdatedAt = a.Number, moment.New(ended)
	if a.Success() {
		return Verdict{Delivery: d.deliver(a)}
	}
	verdict := Verdict{}
	if a.ByHand {
		d.RetryRequested = false
	} else {
		d.ScheduledCount++
		d.NextAttemptAt = nil
		if wait, more := s.Wait(d.ScheduledCount, random, a.RetryAfter); more {
			next := roundedUp(ended.Add(wait))
			d.NextAttemptAt = &next
			verdict.WakeUps = append(verdict.WakeUps, WakeUp{DeliveryID: d.ID, WebhookID: d.WebhookID, Lane: RetryLane, At: next.Time})
		} else if d.DeliveredAt == nil {
			d.FailedAt = &a.StartedAt
		}
		if d.RetryRequested { // requested while this attempt ran; since it failed, the request is still open
			verdict.WakeUps = append(verdict.WakeUps, WakeUp{DeliveryID: d.ID, WebhookID: d.WebhookID, Lane: ByHandLane})
		}
	}
	d.State = d.settled()
	verdict.Delivery = d
	return verdict
}

// Replay judges a delivery's attempts again from the first on, and passes each verdict to tell.
func (s RetrySchedule) Replay(d Delivery, attempts []Attempt, tell func(Attempt, Verdict)) {
	d.AttemptCount, d.ScheduledCount, d.NextAttemptAt, d.DeliveredAt, d.FailedAt = 0, 0, &d.CreatedAt, nil, nil
	for _, a := range attempts {
		d.State, d.RetryRequested = Pending, a.ByHand
		verdict := s.Judge(d, a, 0)
		d = verdict.Delivery
		tell(a, verdict)
	}
}

// deliver marks the delivery as delivered. A manual retry that was requested meanwhile is fulfilled.
func (d Delivery) deliver(a Attempt) Delivery {
	if !a.ByHand {
		d.ScheduledCount++
	}
	d.State, d.RetryRequested, d.NextAttemptAt = Delivered, false, nil
	if d.DeliveredAt == nil {
		d.DeliveredAt = &d.UpdatedAt
	}
	return d
}

// settled returns the state that follows from pending attempts and earlier results. A failed manual attempt does not
// undo an
// earlier success, and a delivery that was canceled before its schedule was exhausted is canceled again.
func (d Delivery) settled() State {
	switch {
	case d.RetryRequested || d.NextAttemptAt != nil:
		return Pending
	case d.DeliveredAt != nil:
		return Delivered
	case d.FailedAt != nil:
		return Failed
	}
	return Canceled
}

// sameClick is the time within which two retry requests count as one, such as a double click or a repeated request.
const sameClick = 300 * time.Millisecond

// Retrigger applies a manual retry request that arrived at this time. Requests that come while one is open, or that arrived
// before its attempt ended, count as the same request. If a scheduled attempt is due or running, the request waits for its
// outcome and is fulfilled by its success. Retrigger reports false if nothing changes.
func (d Delivery) Retrigger(arrived time.Time) (Verdict, bool) {
	if d.RetryRequested || d.answered(arrived) {
		return Verdict{Delivery: d}, false
	}
	verdict := Verdict{}
	if !d.due(arrived) {
		verdict.WakeUps = []WakeUp{{DeliveryID: d.ID, WebhookID: d.WebhookID, Lane: ByHandLane}}
	}
	if d.State == Failed && d.FailedAt == nil { // an older version did not store FailedAt
		before := d.UpdatedAt
		d.FailedAt = &before
	}
	at := moment.New(arrived)
	d.State, d.RetryRequested, d.RetriggeredAt, d.UpdatedAt = Pending, true, &at, at
	verdict.Delivery = d
	return verdict, true
}

// lettingPass returns the delivery, which waits for capacity of its listener, so that the manual retry is attempted
// first. A due
// delivery that does not wait may be running, so the retry waits for its outcome.
func (d Delivery) lettingPass(arrived time.Time) Delivery {
	if d.due(arrived) && !d.RetryRequested {
		after := moment.New(arrived.Add(time.Millisecond))
		d.NextAttemptAt = &after
	}
	return d
}

// answered reports whether the previous request's attempt also covers a request that arrived at this time.
func (d Delivery) answered(arrived time.Time) bool {
	if d.RetriggeredAt == nil {
		return false
	}
	return arrived.Before(d.RetriggeredAt.Add(sameClick)) ||
		(d.UpdatedAt.After(d.RetriggeredAt.Time) && !arrived.After(d.UpdatedAt.Time))
}

// roundedUp returns the first millisecond not before when, so that rounding never shortens a wait.
func roundedUp(when time.Time) moment.DateTime {
	return moment.New(when.Add(time.Millisecond - time.Nanosecond))
}
