package webhook

import (
	"slices"
	"testing"
)

func TestBinsOfResponseTimes(t *testing.T) {
	for ms := range 20_000 {
		start, end := binStart(binOf(ms)), binStart(binOf(ms)+1)
		if ms < start || ms >= end {
			t.Fatalf("%d ms is in the bin %d to %d", ms, start, end)
		}
		if width := end - start; width > 1 && width > ms/8 {
			t.Fatalf("the bin of %d ms has width %d", ms, width)
		}
	}
	if binOf(-1) != 0 || binOf(10_000) != 89 {
		t.Errorf("got bins %d and %d", binOf(-1), binOf(10_000))
	}
}

func TestPercentiles(t *testing.T) {
	spread := func(times ...int) (responseTimes ResponseTimes) {
		for _, ms := range times {
			responseTimes = responseTimes.With(ms)
		}
		return responseTimes
	}
	var thousand []int
	for ms := range 1000 {
		thousand = append(thousand, ms+1)
	}
	for _, c := range []struct {
		name     string
		times    ResponseTimes
		p50, p95 int
	}{
		{"one call", spread(7), 7, 7},
		{"a slow call", spread(10_000), 9728, 9728},
		{"two calls", spread(1, 9), 1, 9},
		{"nineteen fast calls and a slow one", spread(append(slices.Repeat([]int{3}, 19), 15)...), 3, 3},
		{"eighteen fast calls and two slow ones", spread(append(slices.Repeat([]int{3}, 18), 15, 15)...), 3, 15},
		{"1 to 1000", spread(thousand...), 500, 950},
		{"1 to 1000 in two halves", spread(thousand[:500]...).Plus(spread(thousand[500:]...)), 500, 950},
	} {
		p50, p95 := c.times.Percentile(50), c.times.Percentile(95)
		if p50 == nil || p95 == nil || *p50 != c.p50 || *p95 != c.p95 {
			t.Errorf("%s: got p50 %v and p95 %v, want %d and %d", c.name, deref(p50), deref(p95), c.p50, c.p95)
		}
	}
	if p := (ResponseTimes{}).Percentile(50); p != nil {
		t.Errorf("got median %d without calls", *p)
	}
	if p := (ResponseTimes{0, 0}).Percentile(95); p != nil {
		t.Errorf("got median %d from empty bins", *p)
	}
}

func deref(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}
