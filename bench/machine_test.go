package main

import (
	"testing"
	"time"
)

func TestFiguresOfALinuxProcess(t *testing.T) {
	t.Parallel()
	t.Run("resident memory is in kibibytes", func(t *testing.T) {
		t.Parallel()
		got, err := residentIn("Name:\tticketgate\nVmHWM:\t   60000 kB\nVmRSS:\t   27440 kB\nThreads:\t9\n")
		if err != nil || got < 28.098 || got > 28.099 {
			t.Errorf("got %v, %v; want 27440 × 1024 bytes", got, err)
		}
	})
	t.Run("a status without resident memory is an error", func(t *testing.T) {
		t.Parallel()
		if _, err := residentIn("Name:\tzombie\n"); err == nil {
			t.Error("got none")
		}
	})
	t.Run("processor time is user and system time, for any program name", func(t *testing.T) {
		t.Parallel()
		got := processorTimeIn("4711 (a) b (c)) S 1 4711 4711 0 -1 4194560 900 0 3 0 120 34 7 8 20 0 9 0 81234 1 2 3")
		if want := 1540 * time.Millisecond; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("a truncated line counts as zero", func(t *testing.T) {
		t.Parallel()
		if got := processorTimeIn("4711 (a) S 1 2 3"); got != 0 {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a family's time includes the parent, its children and ended children", func(t *testing.T) {
		t.Parallel()
		for stat, want := range map[string]time.Duration{
			"4711 (postgres) S 1 4711 4711 0 -1 4194560 900 0 3 0 120 34 7 8 20": 1690 * time.Millisecond,
			"4712 (postgres) S 4711 4712 4712 0 -1 4194560 900 0 3 0 10 1 7 8":   110 * time.Millisecond,
			"4713 (4711) S 1 4711 4711 0 -1 4194560 900 0 3 0 120 34 7 8 20":     0,
			"47110 (postgres) S 1 4711 4711 0 -1 4194560 900 0 3 0 120 34 7 8":   0,
		} {
			if got := timeInFamily(stat, 4711); got != want {
				t.Errorf("%s: got %s, want %s", stat, got, want)
			}
		}
	})
}
