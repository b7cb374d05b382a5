package main

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestRoundsTakeTurnsAndKeepTheMedians(t *testing.T) {
	t.Parallel()
	var order []string
	results := map[string][]float64{"figure": {7, 1, 3}, "baseline": {10, 30, 20}, "another": {300, 200, 100}}
	measuring := func(name string) measurement {
		return func(context.Context, time.Duration) (figure, error) {
			order = append(order, name)
			value := results[name][0]
			results[name] = results[name][1:]
			return figure{value: value, p50: time.Duration(value)}, nil
		}
	}
	measured, err := subject{
		measure: measuring("figure"), baseline: measuring("baseline"), more: []comparison{{"another", measuring("another")}},
	}.rounds(t.Context(), 0, 3)
	if err != nil || measured.figure.value != 3 || measured.figure.p50 != 3 || measured.baseline.value != 20 {
		t.Errorf("got %+v, %v; want 3 and 20", measured, err)
	}
	if more := measured.more; len(more) != 1 || more[0].against != "another" || more[0].figure.value != 200 {
		t.Errorf("got %+v; want 200", more)
	}
	if want := slices.Repeat([]string{"figure", "baseline", "another"}, 3); !slices.Equal(order, want) {
		t.Errorf("measured in order %v", order)
	}
}

func TestRoundsEndWithTheFirstFailure(t *testing.T) {
	t.Parallel()
	broken, count := errors.New("broken"), 0
	s := subject{measure: atMost(1), baseline: func(context.Context, time.Duration) (figure, error) {
		count++
		return figure{}, broken
	}}
	if _, err := s.rounds(t.Context(), 0, 3); !errors.Is(err, broken) || count != 1 {
		t.Errorf("got %v after %d rounds", err, count)
	}
}

func TestTimedCountsAndSpreads(t *testing.T) {
	t.Parallel()
	times := make([]time.Duration, 200)
	for i := range times {
		times[i] = time.Duration(200-i) * time.Millisecond
	}
	f := timed(times, 4*time.Second)
	if f.value != 50 || f.count != 200 || f.p50 != 100*time.Millisecond || f.p99 != 198*time.Millisecond {
		t.Errorf("got %+v", f)
	}
	if item := timed([]time.Duration{5}, time.Second); item.p50 != 5 || item.p99 != 5 {
		t.Errorf("one time: got %+v", item)
	}
	if nothing := timed(nil, time.Second); nothing.value != 0 || nothing.p99 != 0 {
		t.Errorf("no times: got %+v", nothing)
	}
}
