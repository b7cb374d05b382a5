package scan

import (
	"cmp"
	"slices"

	"ticketgate/domain/moment"
)

// Pass is an approved scan that was not annulled. Passes determine who is inside.
type Pass struct {
	ScanID    string
	At        moment.DateTime
	Direction Direction
}

// History is the result of a ticket's passes at one event and zone.
type History struct {
	// Checkins is the number of entries.
	Checkins int
	// Inside is the number of people inside with the ticket. It exceeds one only if offline devices admitted several.
	Inside int
	// FirstCheckin is the time of the first entry, or nil.
	FirstCheckin *moment.DateTime
	// Last is the time of the latest pass, or nil.
	Last *moment.DateTime
}

// Then returns the history after one more pass, which must be the latest. An exit with no one inside has no effect.
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

// equal reports whether both histories are equal.
func (h History) equal(other History) bool {
	return h.Checkins == other.Checkins && h.Inside == other.Inside && sameTime(h.FirstCheckin, other.FirstCheckin) &&
		sameTime(h.Last, other.Last)
}

func sameTime(a, b *moment.DateTime) bool { return a == b || a != nil && b != nil && a.Equal(b.Time) }

// used reports whether an entry would be declined: the ticket entered before or, with multiple check-ins, is inside.
func (h History) used(multi bool) bool {
	if multi {
		return h.Inside > 0
	}
	return h.Checkins > 0
}

// Count returns the history of passes, which may be in any order.
func Count(passes []Pass) History {
	var h History
	for _, pass := range sorted(passes) {
		h = h.Then(pass)
	}
	return h
}

// sorted returns the passes ordered by time. Of passes at the same time, an entry comes first if no one is inside,
// otherwise an exit, in whatever order they arrived. Device clocks have whole seconds, so an entry and an exit can have
// the same time.
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

// entersFirst reports whether the entry comes before the exit.
func (h History) entersFirst(in, out Pass) bool {
	order := in.At.Compare(out.At.Time)
	return order < 0 || order == 0 && h.Inside == 0
}

// until returns the history of the passes up to and including a time.
func until(passes []Pass, at moment.DateTime) History {
	return Count(slices.DeleteFunc(passes, func(pass Pass) bool { return pass.At.After(at.Time) }))
}
