package webhook

import (
	"math"
	"math/bits"
)

// ResponseTimes is a histogram of response times: the number of calls per bin. Unlike percentiles, histograms can be
// added. Bins after that of the slowest call are omitted.
type ResponseTimes []int

// Each of the first sixteen milliseconds has its own bin. After that, every doubling has eight bins, so a percentile is
// off by at most about six percent.
const (
	exactBins   = 16
	perDoubling = 8
)

// binOf returns the bin of a time in milliseconds.
func binOf(ms int) int {
	ms = max(0, ms)
	if ms < exactBins {
		return ms
	}
	length := bits.Len64(uint64(ms))
	doubling := length - bits.Len64(exactBins) // 16 to 31 is the first doubling
	part := ms >> (length - bits.Len64(perDoubling)) % perDoubling
	return exactBins + doubling*perDoubling + part
}

// binStart returns the shortest time of a bin, in milliseconds.
func binStart(bin int) int {
	if bin < exactBins {
		return bin
	}
	doubling, part := (bin-exactBins)/perDoubling, (bin-exactBins)%perDoubling
	return exactBins<<doubling + part*(exactBins<<doubling/perDoubling)
}

// With returns the histogram with one more call.
func (t ResponseTimes) With(ms int) ResponseTimes { return t.added(binOf(ms), 1) }

// added returns the histogram with more calls in one bin.
func (t ResponseTimes) added(bin, calls int) ResponseTimes {
	for len(t) <= bin {
		t = append(t, 0)
	}
	t[bin] += calls
	return t
}

// Plus returns the sum of both histograms.
func (t ResponseTimes) Plus(other ResponseTimes) ResponseTimes {
	for bin, calls := range other {
		t = t.added(bin, calls)
	}
	return t
}

// Percentile returns the time in milliseconds that this percentage of calls did not exceed, or nil without calls. It
// uses the nearest rank, and assumes that the calls of a bin are evenly distributed.
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
