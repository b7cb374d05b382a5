package webhook

import (
	"time"

	"ticketgate/domain/moment"
)

// Turn is what a wake-up leads to.
type Turn uint8

// The turns. Nothing: the wake-up is outdated, and whatever is still to be done has a wake-up of its own. Later: an
// attempt by hand is under way and the schedule's comes after it.
const (
	Nothing Turn = iota
	Later
	Go
)

// skew is how early a wake-up may come, or seem to have been meant, because the clocks of the server and the database differ.
const skew = 2 * time.Second

// Turn decides whether a wake-up in a lane, that was meant for a moment, leads to an attempt. A job may run twice, or late, or for
// a delivery that has long moved on, so the delivery alone decides.
func (d Delivery) Turn(lane Lane, meant, now time.Time) Turn {
	// A first attempt is due from the start, whatever the clocks of two servers say.
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

// wentOn tells that the schedule has gone on since the moment that a wake-up was meant for: its next attempt has another wake-up.
func (d Delivery) wentOn(meant time.Time) bool {
	return d.ScheduledCount > 0 && d.NextAttemptAt.After(meant.Add(skew))
}

// Verdict is what becomes of a delivery, the wake-ups that this needs, and what an attempt adds to the figures.
type Verdict struct {
	Delivery Delivery
	WakeUps  []WakeUp
	Figures  Figures
	// NoFailure is when the delivery had failed that the attempt delivers: it counts as failed no longer.
	NoFailure *moment.DateTime
}

// End is what the delivery came to with the attempt: delivered by its first success, failed when the schedule ran out. Attempts
// by hand that come after either, and fail, are no further end.
func (v Verdict) End() State {
	switch {
	case v.Figures.Delivered > 0:
		return Delivered
	case v.Figures.Failed > 0:
		return Failed
	}
	return ""
}

// Recorded is what becomes of an attempt that is stored with its verdict.
func (v Verdict) Recorded() Recorded { return Recorded{After: v.Delivery, Ended: v.End(), OK: true} }

// In says which trace the wake-ups come of.
func (v Verdict) In(trace string) Verdict {
	for i := range v.WakeUps {
		v.WakeUps[i].Trace = trace
	}
	return v
}

// Judge decides what an attempt's outcome makes of its delivery: delivered on success; otherwise the schedule goes on,
// or it has run out. An attempt by hand leaves the schedule as it is. Random is from 0 up to 1.
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
		if d.RetryRequested { // asked for while this attempt ran: it failed, so the wish still stands
			verdict.WakeUps = append(verdict.WakeUps, WakeUp{DeliveryID: d.ID, WebhookID: d.WebhookID, Lane: ByHandLane})
		}
	}
	d.State = d.settled()
	verdict.Delivery = d
	return verdict
}

// Replay makes a delivery's attempts anew, from the first on, and tells what each has made of it.
func (s RetrySchedule) Replay(d Delivery, attempts []Attempt, tell func(Attempt, Verdict)) {
	d.AttemptCount, d.ScheduledCount, d.NextAttemptAt, d.DeliveredAt, d.FailedAt = 0, 0, &d.CreatedAt, nil, nil
	for _, a := range attempts {
		d.State, d.RetryRequested = Pending, a.ByHand
		verdict := s.Judge(d, a, 0)
		d = verdict.Delivery
		tell(a, verdict)
	}
}

// deliver marks the delivery as taken by the listener. A wish for an attempt that came meanwhile is fulfilled.
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

// settled is the state that follows from what is still to come and what was reached before: a failed attempt by hand does not
// undo an earlier success, and what was canceled before its schedule ran out is canceled again.
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

// sameClick is how far apart two requests for an attempt may be that are one wish: a double click, or a client that
// sent its request twice.
const sameClick = 300 * time.Millisecond

// Retrigger is a person's wish, arrived at a time, for one attempt now. Wishes that come while one is open, or that
// had arrived before its attempt ended, are the same wish: fifty clicks make one attempt. While a scheduled attempt is
// due or running the wish waits for its outcome, and is fulfilled when that succeeds. It is false when nothing changes.
func (d Delivery) Retrigger(arrived time.Time) (Verdict, bool) {
	if d.RetryRequested || d.answered(arrived) {
		return Verdict{Delivery: d}, false
	}
	verdict := Verdict{}
	if !d.due(arrived) {
		verdict.WakeUps = []WakeUp{{DeliveryID: d.ID, WebhookID: d.WebhookID, Lane: ByHandLane}}
	}
	if d.State == Failed && d.FailedAt == nil { // an older version did not keep it
		before := d.UpdatedAt
		d.FailedAt = &before
	}
	at := moment.New(arrived)
	d.State, d.RetryRequested, d.RetriggeredAt, d.UpdatedAt = Pending, true, &at, at
	verdict.Delivery = d
	return verdict, true
}

// lettingPass is a delivery that waits for room at its listener, before a wish that arrived then: the wish has room of its own, and
// comes first. What is due but waits nowhere may be running, and its outcome is waited for.
func (d Delivery) lettingPass(arrived time.Time) Delivery {
	if d.due(arrived) && !d.RetryRequested {
		after := moment.New(arrived.Add(time.Millisecond))
		d.NextAttemptAt = &after
	}
	return d
}

// answered tells whether the last wish's attempt serves a wish that arrived then as well.
func (d Delivery) answered(arrived time.Time) bool {
	if d.RetriggeredAt == nil {
		return false
	}
	return arrived.Before(d.RetriggeredAt.Add(sameClick)) ||
		(d.UpdatedAt.After(d.RetriggeredAt.Time) && !arrived.After(d.UpdatedAt.Time))
}

// roundedUp is the first millisecond that is not before a moment: a wait is never cut short by rounding.
func roundedUp(when time.Time) moment.DateTime {
	return moment.New(when.Add(time.Millisecond - time.Nanosecond))
}
