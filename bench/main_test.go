package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOptionsChooseBenchmarks(t *testing.T) {
	t.Parallel()
	all := strings.Split(names(benchmarks), ", ")
	if sorted := slices.Sorted(slices.Values(all)); len(slices.Compact(sorted)) != len(benchmarks) {
		t.Errorf("two benchmarks have the same name: %v", all)
	}
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"all but the long ones by default":   {nil, names(benchmarks[:len(benchmarks)-29])},
		"the long ones with -full":           {[]string{"-full"}, names(benchmarks[len(benchmarks)-29 : len(benchmarks)-14])},
		"the longest by its name alone":      {[]string{"-only", "hanging-full"}, "hanging-full"},
		"the named ones, in the given order": {[]string{"-only", "binary,ceiling"}, "binary, ceiling"},
		"a long one by its name":             {[]string{"-only", "key-update-4"}, "key-update-4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, err := readOptions(test.args)
			if err != nil {
				t.Fatal(err)
			}
			list, err := chosen(o)
			if got := names(list); err != nil || got != test.want {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
	t.Run("refuses an unknown name and lists the names", func(t *testing.T) {
		t.Parallel()
		_, err := chosen(options{only: "binary,speed"})
		if err == nil || !strings.Contains(err.Error(), `no benchmark "speed"`) || !strings.Contains(err.Error(), "rest-read") {
			t.Errorf("got %v", err)
		}
	})
}

func TestOptionsOfALongRunCanBeOverridden(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args     []string
		duration time.Duration
		rounds   int
	}{
		{nil, time.Second, 3},
		{[]string{"-full"}, 10 * time.Second, 3},
		{[]string{"-full", "-duration", "2s", "-rounds", "1"}, 2 * time.Second, 1},
	} {
		o, err := readOptions(test.args)
		if err != nil || o.duration != test.duration || o.rounds != test.rounds {
			t.Errorf("%v: got %+v, %v", test.args, o, err)
		}
	}
	if _, err := readOptions([]string{"-rounds", "0"}); err == nil {
		t.Error("accepts zero rounds")
	}
}
