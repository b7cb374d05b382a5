package webhook

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Slot is the time for which figures are kept together. A period of statistics is a number of slots, the running one
// included.
const Slot = 5 * time.Minute

// Part is what the calls of a slot have in common.
type Part string

// The parts: all calls of a webhook, those for events of one type, those with one outcome.
const (
	AllCalls  Part = "all"
	ByType    Part = "type"
	ByOutcome Part = "outcome"
)

// Figures are what a number of calls add up to (spec 6.2.8).
type Figures struct {
	Calls int
	// Succeeded are the calls that the listener took.
	Succeeded int
	// Delivered and Failed are the deliveries that these calls have ended. One that had failed and is delivered by hand is no
	// failure any more, neither then nor when it failed.
	Delivered int
	Failed    int
	// Milliseconds are what all calls took together.
	Milliseconds int64
}

// Plus adds up two sets of calls.
func (f Figures) Plus(other Figures) Figures {
	return Figures{
		Calls: f.Calls + other.Calls, Succeeded: f.Succeeded + other.Succeeded,
		Delivered: f.Delivered + other.Delivered, Failed: f.Failed + other.Failed,
		Milliseconds: f.Milliseconds + other.Milliseconds,
	}
}

// DeliveryRate is the part of the ended deliveries that was delivered, from 0 to 1. What is pending is left out, and so
// is what was canceled; without an ended delivery there is none.
func (f Figures) DeliveryRate() *float64 {
	if f.Delivered+f.Failed == 0 {
		return nil
	}
	rate := float64(f.Delivered) / float64(f.Delivered+f.Failed)
	return &rate
}

// AverageMS is how long a call took on average; without a call there is none.
func (f Figures) AverageMS() *float64 {
	if f.Calls == 0 {
		return nil
	}
	average := float64(f.Milliseconds) / float64(f.Calls)
	return &average
}

// FigureKey says which calls are counted together.
type FigureKey struct {
	WebhookID string
	Part      Part
	// Value is the event type or the outcome, empty for all calls.
	Value string
	// At is the beginning of the slot.
	At time.Time
}

// Counted are the figures of some calls and, of all calls of a webhook, how their response times are spread.
type Counted struct {
	FigureKey
	Figures
	Times ResponseTimes
}

// Tally adds up what attempts that are recorded together change in the figures.
type Tally map[FigureKey]Counted

// Add counts an attempt of which a verdict came. A failure that it takes back is taken back where it was counted.
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
		slot, takenBack := of.NoFailure.Truncate(Slot), Figures{Failed: -1}
		t.plus(FigureKey{after.WebhookID, AllCalls, "", slot}, takenBack)
		t.plus(FigureKey{after.WebhookID, ByType, string(after.Type), slot}, takenBack)
	}
}

func (t Tally) plus(key FigureKey, further Figures) {
	counted := t[key]
	counted.FigureKey, counted.Figures = key, counted.Plus(further)
	t[key] = counted
}

// Sorted lists what was added up, in one order for everybody: two processes never wait for each other's rows in a circle.
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

// figuresOf is what one attempt adds. A delivery is delivered once, at its first success, and fails once, when the
// schedule has run out.
func figuresOf(before Delivery, a Attempt, after Delivery) Figures {
	made := Figures{Calls: 1, Milliseconds: int64(a.DurationMS)}
	if a.Success() {
		made.Succeeded = 1
	}
	switch {
	case before.DeliveredAt == nil && after.DeliveredAt != nil:
		made.Delivered = 1
	case before.FailedAt == nil && after.FailedAt != nil:
		made.Failed = 1
	}
	return made
}

// Outcome is how a call ended, in one word: the kind of failure or, of an answer that is none, the HTTP status.
func (a Attempt) Outcome() string {
	switch {
	case a.Failure != nil:
		return string(*a.Failure)
	case a.Status != nil:
		return strconv.Itoa(*a.Status)
	}
	return ""
}
