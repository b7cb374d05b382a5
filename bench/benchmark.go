package main

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// benchmark is one row of the table.
type benchmark struct {
	name string // the name for -only
	what string // what the figure measures, for the report
	unit unit
	full bool // runs only with -full or if it is named
	long bool // runs only if it is named: a separate part of bench-full
	once bool // one round is enough, because the result does not vary
	// prepare starts the necessary processes, warms them up, and returns the measurements.
	prepare func(ctx context.Context, r *rig) (subject, error)
}

// unit is the unit of a figure.
type unit string

// All units. format in report.go prints each with three digits.
const (
	perSecond    unit = "/s"
	megabytes    unit = "MB"
	seconds      unit = "s"
	milliseconds unit = "ms"
)

// measurement measures for about d, unless the measured work has an end of its own.
type measurement func(ctx context.Context, d time.Duration) (figure, error)

// subject is a prepared benchmark.
type subject struct {
	measure measurement
	// baseline is nil if there is no baseline. against describes the baseline.
	baseline measurement
	against  string
	// more are additional baselines, which are measured in the same rounds.
	more   []comparison
	remark string
}

// comparison is an additional baseline.
type comparison struct {
	against string
	measure measurement
}

// compared is the result of an additional baseline.
type compared struct {
	against string
	figure  figure
}

// figure is a measured value in the unit of its benchmark.
type figure struct {
	value    float64
	p50, p99 time.Duration // zero if no individual times were measured
	longest  time.Duration
	count    int // number of requests
	remark   string
}

// row is the result of a benchmark.
type row struct {
	benchmark
	figure                figure
	baseline              figure
	more                  []compared
	against, remark       string
	loadBefore, loadAfter string
}

// rounds measures the figure and the baselines in turns, so that other work on the machine affects all of them. It
// returns a row with the medians.
func (s subject) rounds(ctx context.Context, d time.Duration, rounds int) (row, error) {
	all := []measurement{s.measure}
	if s.baseline != nil {
		all = append(all, s.baseline)
	}
	for _, another := range s.more {
		all = append(all, another.measure)
	}
	figures := make([][]figure, len(all))
	for range rounds {
		// Without a pause: minutes later, the load of the machine would have changed.
		for i, measure := range all {
			f, err := measure(ctx, d)
			if err != nil {
				return row{}, err
			}
			figures[i] = append(figures[i], f)
		}
	}
	created := row{figure: median(figures[0]), against: s.against, remark: s.remark}
	if s.baseline != nil {
		created.baseline = median(figures[1])
	}
	for i, another := range s.more {
		created.more = append(created.more, compared{another.against, median(figures[len(all)-len(s.more)+i])})
	}
	return created, nil
}

// median returns the figure with the median value. Its percentiles are those of the same round.
func median(figures []figure) figure {
	if len(figures) == 0 {
		return figure{}
	}
	slices.SortFunc(figures, func(a, b figure) int { return cmp.Compare(a.value, b.value) })
	return figures[len(figures)/2]
}

// atMost returns a baseline that is an upper limit.
func atMost(limit float64) measurement {
	return func(context.Context, time.Duration) (figure, error) { return figure{value: limit}, nil }
}

// atLeast returns a baseline that is a target.
func atLeast(aim float64) measurement { return atMost(aim) }

// timed returns the figure of individual times: their rate and their distribution.
func timed(times []time.Duration, elapsed time.Duration) figure {
	slices.Sort(times)
	return figure{
		value: float64(len(times)) / elapsed.Seconds(),
		p50:   percentile(times, 50), p99: percentile(times, 99), longest: percentile(times, 100),
		count: len(times),
	}
}

// percentile returns a percentile of sorted times, by the nearest-rank method.
func percentile(sorted []time.Duration, rank int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*rank+99)/100-1]
}
