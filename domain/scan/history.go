package scan

import (
	"cmp"
	"slices"

	"ticketgate/domain/moment"
)

// Pass is an approved scan that was not annulled: what counts for who is inside.
type Pass struct {
	ScanID    string
	At        moment.DateTime
	Direction Direction
}

// History is what a sequence of passes of one ticket at one event in one zone comes to.
type History struct {
	// Checkins is how many there were.
	Checkins int
	// Inside is how many people are in the zone on the ticket: one at most, unless devices let in more while they were
	// offline.
	Inside int
	// FirstCheckin is when the ticket came in first; nil while it has not.
	FirstCheckin *moment.DateTime
	// Last is when the latest pass was.
	Last *moment.DateTime
}

// Then is the history with one more pass, which is later than all others. A check-out with nobody inside earns nothing.
func (h History) Then(pass Pass) History {
	if pass.Direction == In {
		h.Checkins++
		h.Inside++
		if h.FirstCheckin == nil {
			h.FirstCheckin = &pass.At
		}
	} else if h.Inside > 0 {
		h.Inside--
	}
	h.Last = &pass.At
	return h
}

// equal reports whether two histories say the same.
func (h History) equal(other History) bool {
	return h.Checkins == other.Checkins && h.Inside == other.Inside && sameTime(h.FirstCheckin, other.FirstCheckin) &&
		sameTime(h.Last, other.Last)
}

func sameTime(a, b *moment.DateTime) bool { return a == b || a != nil && b != nil && a.Equal(b.Time) }

// used reports whether a check-in would be declined: there was one before or, with multiple check-ins, the ticket is inside.
func (h History) used(multi bool) bool {
	if multi {
		return h.Inside > 0
	}
	return h.Checkins > 0
}

// Count is the history of passes, in whatever order they are handed over.
func Count(passes []Pass) History {
	var h History
	for _, pass := range sorted(passes) {
		h = h.Then(pass)
	}
	return h
}

// sorted orders passes by time. Of those at the same instant the only order is taken that makes sense, whatever it was that
// they arrived in: with nobody inside somebody comes in first, else somebody leaves. So a device whose clock knows whole seconds
// may let somebody in and out within one, or out and in.
func sorted(passes []Pass) []Pass {
	byTime := slices.SortedStableFunc(slices.Values(passes), func(a, b Pass) int {
		return cmp.Or(a.At.Compare(b.At.Time), cmp.Compare(a.ScanID, b.ScanID))
	})
	var ins, outs []Pass
	for _, pass := range byTime {
		if pass.Direction == In {
			ins = append(ins, pass)
		} else {
			outs = append(outs, pass)
		}
	}
	var h History
	for i := range byTime {
		if len(outs) == 0 || len(ins) > 0 && h.entersFirst(ins[0], outs[0]) {
			byTime[i], ins = ins[0], ins[1:]
		} else {
			byTime[i], outs = outs[0], outs[1:]
		}
		h = h.Then(byTime[i])
	}
	return byTime
}

// entersFirst tells which of a check-in and a check-out comes next.
func (h History) entersFirst(in, out Pass) bool {
	order := in.At.Compare(out.At.Time)
	return order < 0 || order == 0 && h.Inside == 0
}

// until is the history of those passes that are not later than an instant.
func until(passes []Pass, at moment.DateTime) History {
	return Count(slices.DeleteFunc(passes, func(pass Pass) bool { return pass.At.After(at.Time) }))
}
