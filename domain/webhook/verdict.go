package webhook

import (
	"time"

	"ticketgate/domain/moment"
)

// Action is the consequence of a job for its delivery.
type Action uint8

// The actions. Skip means that the job is outdated. Any remaining work has its own job. Postpone means that a manual
// attempt is running, and the scheduled one follows it.
const (
	Skip Action = iota
	Postpone
	Call
)

// skew is how much too early a job may come because the clocks of the server and the database differ.
const skew = 2 * time.Second

// NextAction decides whether a job in a queue, scheduled for scheduledAt, leads to an attempt. A job may run twice, or
// late, or after the delivery has changed, so only the state of the delivery decides.
func (d Delivery) NextAction(queue Queue, scheduledAt, now time.Time) Action {
	// A first attempt is always due, whatever the clocks of two servers say.
	first := queue == FirstQueue && d.ScheduledCount == 0 && d.State == Pending && d.NextAttemptAt != nil
	switch {
	case queue == ManualQueue && d.RetryRequested:
		return Call
	case queue == ManualQueue || (!first && !d.due(now.Add(skew))) || d.superseded(scheduledAt):
		return Skip
	case d.RetryRequested && d.RetriggeredAt != nil && d.RetriggeredAt.Before(d.NextAttemptAt.Time):
		return Postpone
	}
	return Call
}

// superseded reports whether a later attempt has been scheduled since the job for scheduledAt was created.
func (d Delivery) superseded(scheduledAt time.Time) bool {
	return d.ScheduledCount > 0 && d.NextAttemptAt.After(scheduledAt.Add(skew))
}

// Verdict is the new state of a delivery, with the jobs that it needs and what the attempt adds to the figures.
type Verdict struct {
	Delivery Delivery
	Jobs     []Job
	Figures  Figures
	// NoFailure is when the delivery failed, if this attempt delivers it after all. It then no longer counts as failed.
	NoFailure *moment.DateTime
}

// End returns the final state that the delivery reached with the attempt: Delivered by its first success, Failed when
// the schedule was exhausted, otherwise "". Later manual attempts that fail don't end it again.
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

// WithTrace sets the trace of the jobs.
func (v Verdict) WithTrace(trace string) Verdict {
	for i := range v.Jobs {
		v.Jobs[i].Trace = trace
	}
	return v
}

// Judge decides how an attempt's outcome changes its delivery. A success delivers it. After a failure, the next retry
// is scheduled, or the schedule is exhausted. A manual attempt leaves the schedule as it is. Random is in [0, 1).
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
			next := roundUp(ended.Add(wait))
			d.NextAttemptAt = &next
			verdict.Jobs = append(verdict.Jobs, Job{DeliveryID: d.ID, WebhookID: d.WebhookID, Queue: RetryQueue, At: next.Time})
		} else if d.DeliveredAt == nil {
			d.FailedAt = &a.StartedAt
		}
		if d.RetryRequested { // requested while this attempt ran; since it failed, the request is still open
			verdict.Jobs = append(verdict.Jobs, Job{DeliveryID: d.ID, WebhookID: d.WebhookID, Queue: ManualQueue})
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
// undo an earlier success, and a delivery that was canceled before its schedule was exhausted is canceled again.
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

// sameRequest is the time within which two retry requests count as one, such as a double click or a repeated request.
const sameRequest = 300 * time.Millisecond

// Retrigger applies a manual retry request that arrived at this time. Requests that come while one is open, or that
// arrived before its attempt ended, count as the same request. If a scheduled attempt is due or running, the request
// waits for its outcome and is fulfilled by its success. Retrigger reports false if nothing changes.
func (d Delivery) Retrigger(arrived time.Time) (Verdict, bool) {
	if d.RetryRequested || d.isCovered(arrived) {
		return Verdict{Delivery: d}, false
	}
	verdict := Verdict{}
	if !d.due(arrived) {
		verdict.Jobs = []Job{{DeliveryID: d.ID, WebhookID: d.WebhookID, Queue: ManualQueue}}
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

// deferScheduled puts the due attempt of a delivery that waits for its listener's capacity behind the manual retry. A
// due attempt that does not wait may be running, so its delivery must not be deferred.
func (d Delivery) deferScheduled(arrived time.Time) Delivery {
	if d.due(arrived) && !d.RetryRequested {
		after := moment.New(arrived.Add(time.Millisecond))
		d.NextAttemptAt = &after
	}
	return d
}

// isCovered reports whether the previous request's attempt also covers a request that arrived at this time.
func (d Delivery) isCovered(arrived time.Time) bool {
	if d.RetriggeredAt == nil {
		return false
	}
	return arrived.Before(d.RetriggeredAt.Add(sameRequest)) ||
		(d.UpdatedAt.After(d.RetriggeredAt.Time) && !arrived.After(d.UpdatedAt.Time))
}

// roundUp returns the first millisecond not before when, so that rounding never shortens a wait.
func roundUp(when time.Time) moment.DateTime {
	return moment.New(when.Add(time.Millisecond - time.Nanosecond))
}
