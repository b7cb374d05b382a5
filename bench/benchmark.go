package main

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// benchmark is one row of the table.
type benchmark struct {
	name string // as -only takes it
	what string // what the figure is of
	unit unit
	full bool // needs -full, or its name
	long bool // only its name asks for it: a part of bench-full of its own
	once bool // one round is enough: nothing varies
	// prepare starts in the rig what is needed, warms it up, and says how to measure.
	prepare func(ctx context.Context, r *rig) (subject, error)
}

// unit is what a figure counts.
type unit string

// The units there are; format in report.go shows all of them with three digits.
const (
	perSecond    unit = "/s"
	megabytes    unit = "MB"
	seconds      unit = "s"
	milliseconds unit = "ms"
)

// measurement takes about the given time; one that counts to an end of its own takes what it takes.
type measurement func(ctx context.Context, d time.Duration) (figure, error)

// subject is a prepared benchmark.
type subject struct {
	measure measurement
	// baseline is nil where there is nothing to compare with, and against says what it is.
	baseline measurement
	against  string
	// more are further baselines, measured in the same turns.
	more   []comparison
	remark string
}

// comparison is a further baseline.
type comparison struct {
	against string
	measure measurement
}

// compared is a measured one.
type compared struct {
	against string
	figure  figure
}

// figure is one result in its benchmark's unit.
type figure struct {
	value    float64
	p50, p99 time.Duration // zero where single times are not looked at
	longest  time.Duration
	count    int // how many requests it was made of
	remark   string
}

// row is a measured benchmark.
type row struct {
	benchmark
	figure                figure
	baseline              figure
	more                  []compared
	against, remark       string
	loadBefore, loadAfter string
}

// rounds measures figure and baselines in turns, so that what else happens on the machine meets all of them, and returns a row with
// the medians.
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
		// One right behind the other: a baseline that is measured minutes later meets another machine.
		for i, measure := range all {
			f, err := measure(ctx, d)
			if err != nil {
				return row{}, err
			}
			figures[i] = append(figures[i], f)
		}
	}
	made := row{figure: median(figures[0]), against: s.against, remark: s.remark}
	if s.baseline != nil {
		made.baseline = median(figures[1])
	}
	for i, another := range s.more {
		made.more = append(made.more, compared{another.against, median(figures[len(all)-len(s.more)+i])})
	}
	return made, nil
}

// median is the middle figure by its value, whole: its percentiles belong to the same round.
func median(figures []figure) figure {
	if len(figures) == 0 {
		return figure{}
	}
	slices.SortFunc(figures, func(a, b figure) int { return cmp.Compare(a.value, b.value) })
	return figures[len(figures)/2]
}

// atMost is the baseline of a figure that has a limit.
func atMost(limit float64) measurement {
	return func(context.Context, time.Duration) (figure, error) { return figure{value: limit}, nil }
}

// atLeast is the baseline of a figure that has an aim.
func atLeast(aim float64) measurement { return atMost(aim) }

// timed makes a figure of single times: how many there were in the elapsed time, and how they are spread.
func timed(times []time.Duration, elapsed time.Duration) figure {
	slices.Sort(times)
	return figure{
		value: float64(len(times)) / elapsed.Seconds(),
		p50:   percentile(times, 50), p99: percentile(times, 99), longest: percentile(times, 100),
		count: len(times),
	}
}

// percentile of sorted times by the nearest rank.
func percentile(sorted []time.Duration, rank int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*rank+99)/100-1]
}
