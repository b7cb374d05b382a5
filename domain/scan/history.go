package scan

import (
	"cmp"
	"slices"

	"ticketgate/domain"
)

// Pass is an approved scan that was not annulled: what counts for who is inside.
type Pass struct {
	ScanID    string
	At        domain.DateTime
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
	FirstCheckin *domain.DateTime
	// Last is when the latest pass was.
	Last *domain.DateTime
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

// Count is the history of passes, in whatever order they are handed over.
func Count(passes []Pass) History {
	var h History
	for _, pass := range sorted(passes) {
		h = h.Then(pass)
	}
	return h
}

// sorted orders passes by time. Of two at the same instant the check-out comes first: then nobody inside can be
// forgotten.
func sorted(passes []Pass) []Pass {
	return slices.SortedFunc(slices.Values(passes), func(a, b Pass) int {
		return cmp.Or(a.At.Compare(b.At.Time), -cmp.Compare(a.Direction, b.Direction))
	})
}

// before is the history of those passes that come before one more.
func before(passes []Pass, pass Pass) History {
	var h History
	for _, other := range sorted(passes) {
		if later := cmp.Or(other.At.Compare(pass.At.Time), -cmp.Compare(other.Direction, pass.Direction)); later > 0 {
			break
		}
		h = h.Then(other)
	}
	return h
}

// until is the history of those passes that are not later than an instant.
func until(passes []Pass, at domain.DateTime) History {
	return Count(slices.DeleteFunc(passes, func(pass Pass) bool { return pass.At.After(at.Time) }))
}

// crowds tells whether a check-in among the passes makes a later one of them wrong: with it, somebody else was inside or
// had entered already.
func crowds(passes []Pass, pass Pass, multi bool) bool {
	if pass.Direction != In {
		return false
	}
	if !multi {
		return Count(passes).Checkins > 0
	}
	most, h := 0, History{}
	for _, other := range sorted(append(slices.Clone(passes), pass)) {
		h = h.Then(other)
		if !other.At.Before(pass.At.Time) {
			most = max(most, h.Inside)
		}
	}
	return most > 1
}
