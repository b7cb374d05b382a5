package webhook

import (
	"math"
	"math/bits"
)

// ResponseTimes is how the times of calls are spread: how many took how long, bin by bin. Spreads can be added up, which
// percentiles can't. Its bins are as long as it needs: those behind the slowest call are left out.
type ResponseTimes []int

// Up to sixteen milliseconds each has a bin of its own; beyond, every doubling has eight, so that a percentile is about six
// percent off at most.
const (
	exactBins   = 16
	perDoubling = 8
)

// binOf is the bin of a time in milliseconds.
func binOf(ms int) int {
	ms = max(0, ms)
	if ms < exactBins {
		return ms
	}
	length := bits.Len64(uint64(ms))
	doubling := length - bits.Len64(exactBins) // 16 to 31 is the first
	part := ms >> (length - bits.Len64(perDoubling)) % perDoubling
	return exactBins + doubling*perDoubling + part
}

// binStart is the shortest time of a bin.
func binStart(bin int) int {
	if bin < exactBins {
		return bin
	}
	doubling, part := (bin-exactBins)/perDoubling, (bin-exactBins)%perDoubling
	return exactBins<<doubling + part*(exactBins<<doubling/perDoubling)
}

// With adds one call.
func (t ResponseTimes) With(ms int) ResponseTimes { return t.added(binOf(ms), 1) }

// added adds so many calls of one bin.
func (t ResponseTimes) added(bin, calls int) ResponseTimes {
	for len(t) <= bin {
		t = append(t, 0)
	}
	t[bin] += calls
	return t
}

// Plus adds the calls of another spread.
func (t ResponseTimes) Plus(other ResponseTimes) ResponseTimes {
	for bin, calls := range other {
		t = t.added(bin, calls)
	}
	return t
}

// Percentile is the time in milliseconds that so many percent of the calls did not exceed, by the nearest rank and, within
// a bin, as if its calls were spread evenly. Without a call there is none.
func (t ResponseTimes) Percentile(percent int) *int {
	calls := 0
	for _, n := range t {
		calls += n
	}
	if calls == 0 {
		return nil
	}
	rank := (calls*percent + 99) / 100
	for bin, n := range t {
		if rank <= n {
			start, width := binStart(bin), binStart(bin+1)-binStart(bin)
			ms := start + int(math.Round(float64(width-1)*(float64(rank)-0.5)/float64(n)))
			return &ms
		}
		rank -= n
	}
	return nil
}
