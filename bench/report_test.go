package main

import (
	"testing"
	"time"
)

func TestReportStatesFigureBaselineRatioAndLoad(t *testing.T) {
	t.Parallel()
	got := report{
		head: "a machine", options: options{duration: time.Second, rounds: 3}, loadBefore: "0.10", loadAfter: "1.90", took: 9 * time.Minute,
		rows: []row{
			{
				benchmark: benchmark{name: "read", what: "one row", unit: perSecond},
				figure:    figure{value: 12000, p50: 1500 * time.Microsecond, p99: 12345678 * time.Nanosecond, remark: "cheap"},
				baseline:  figure{value: 48000, p50: 250 * time.Microsecond, p99: 900 * time.Microsecond, remark: "dear"}, against: "pgbench", remark: "1 statement",
				more:       []compared{{"another", figure{value: 4000, p50: 4 * time.Millisecond, remark: "slow"}}},
				loadBefore: "0.20", loadAfter: "1.80",
			},
			{
				benchmark: benchmark{name: "alone", what: "no baseline", unit: megabytes},
				figure:    figure{value: 28.06}, loadBefore: "1", loadAfter: "2",
			},
		},
	}.String()
	want := `
a machine
load average 0.10 before, 1.90 after 9m0s; medians of 3 round(s) of 1s, figure and baseline in turns

benchmark  figure    p50      p99      baseline  p50       p99       ratio  load average
read       12000 /s  1.50 ms  12.3 ms  48000 /s  0.250 ms  0.900 ms  0.250  0.20 → 1.80
                                       4000 /s   4.00 ms   -         3.000  another
alone      28.1 MB   -        -        -         -         -         -      1 → 2

read: one row; 1 statement; cheap; baseline: pgbench, dear; next to: another, slow
alone: no baseline
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestFormatShowsThreeDigits(t *testing.T) {
	t.Parallel()
	for value, want := range map[float64]string{0.1704: "0.170 s", 1: "1.00 s", 59.96: "60.0 s", 100: "100 s", 98765.4: "98765 s"} {
		if got := seconds.format(value); got != want {
			t.Errorf("%v: got %q, want %q", value, got, want)
		}
	}
}
