package webhook

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Slot is the length of time for which figures are aggregated. A period of statistics consists of whole slots, the
// current one included.
const Slot = 5 * time.Minute

// Part is the criterion by which the calls of a slot are grouped.
type Part string

// The parts: all calls of a webhook, calls by event type, and calls by outcome.
const (
	AllCalls  Part = "all"
	ByType    Part = "type"
	ByOutcome Part = "outcome"
)

// Figures are the totals of a number of calls.
type Figures struct {
	Calls int
	// Succeeded is the number of calls that the listener accepted.
	Succeeded int
	// Delivered and Failed are the numbers of deliveries that these calls completed. When a manual attempt delivers a
	// failed delivery, its failure is removed from the slot in which it was counted.
	Delivered int
	Failed    int
	// Milliseconds is the total duration of the calls.
	Milliseconds int64
}

// Plus returns the sum of both figures.
func (f Figures) Plus(other Figures) Figures {
	return Figures{
		Calls: f.Calls + other.Calls, Succeeded: f.Succeeded + other.Succeeded,
		Delivered: f.Delivered + other.Delivered, Failed: f.Failed + other.Failed,
		Milliseconds: f.Milliseconds + other.Milliseconds,
	}
}

// DeliveryRate returns the share of completed deliveries that were delivered, from 0 to 1. Pending and canceled
// deliveries don't count. It returns nil if no delivery was completed.
func (f Figures) DeliveryRate() *float64 {
	if f.Delivered+f.Failed == 0 {
		return nil
	}
	rate := float64(f.Delivered) / float64(f.Delivered+f.Failed)
	return &rate
}

// AverageMS returns the average duration of a call in milliseconds, or nil if there was no call.
func (f Figures) AverageMS() *float64 {
	if f.Calls == 0 {
		return nil
	}
	average := float64(f.Milliseconds) / float64(f.Calls)
	return &average
}

// FigureKey identifies a group of calls that are counted together.
type FigureKey struct {
	WebhookID string
	Part      Part
	// Value is the event type or the outcome, empty for all calls.
	Value string
	// At is the start of the slot.
	At time.Time
}

// Counted holds the figures of a group of calls. For all calls of a webhook, it also has the distribution of response
// times.
type Counted struct {
	FigureKey
	Figures
	Times ResponseTimes
}

// Tally holds the increments of the figures by a batch of attempts.
type Tally map[FigureKey]Counted

// Add counts an attempt and its verdict. If the verdict removes an earlier failure, it is removed from the slot where
// it was counted.
func (t Tally) Add(a Attempt, of Verdict) {
	after, slot := of.Delivery, a.StartedAt.Truncate(Slot)
	all := FigureKey{after.WebhookID, AllCalls, "", slot}
	t.plus(all, of.Figures)
	counted := t[all]
	counted.Times = counted.Times.With(a.DurationMS)
	t[all] = counted
	t.plus(FigureKey{after.WebhookID, ByType, string(after.Type), slot}, of.Figures)
	t.plus(FigureKey{after.WebhookID, ByOutcome, a.Outcome(), slot}, of.Figures)
	if of.NoFailure != nil {
		slot, removed := of.NoFailure.Truncate(Slot), Figures{Failed: -1}
		t.plus(FigureKey{after.WebhookID, AllCalls, "", slot}, removed)
		t.plus(FigureKey{after.WebhookID, ByType, string(after.Type), slot}, removed)
	}
}

func (t Tally) plus(key FigureKey, other Figures) {
	counted := t[key]
	counted.FigureKey, counted.Figures = key, counted.Plus(other)
	t[key] = counted
}

// Sorted returns the counts in a fixed order, so that concurrent processes can't deadlock on the rows.
func (t Tally) Sorted() []Counted {
	list := make([]Counted, 0, len(t))
	for _, counted := range t {
		list = append(list, counted)
	}
	slices.SortFunc(list, func(a, b Counted) int {
		return cmp.Or(
			cmp.Compare(a.WebhookID, b.WebhookID), cmp.Compare(a.Part, b.Part),
			cmp.Compare(a.Value, b.Value), a.At.Compare(b.At))
	})
	return list
}

// figuresOf returns what one attempt adds to the figures. A delivery counts as delivered once, at its first success,
// and as failed once, when its schedule is exhausted.
func figuresOf(before Delivery, a Attempt, after Delivery) Figures {
	figures := Figures{Calls: 1, Milliseconds: int64(a.DurationMS)}
	if a.Success() {
		figures.Succeeded = 1
	}
	switch {
	case before.DeliveredAt == nil && after.DeliveredAt != nil:
		figures.Delivered = 1
	case before.FailedAt == nil && after.FailedAt != nil:
		figures.Failed = 1
	}
	return figures
}

// Outcome returns the kind of failure or the HTTP status of the attempt, or "" if it has neither.
func (a Attempt) Outcome() string {
	switch {
	case a.Failure != nil:
		return string(*a.Failure)
	case a.Status != nil:
		return strconv.Itoa(*a.Status)
	}
	return ""
}
