package jobs

import (
	"testing"
	"time"
)

// Periods follow the clock, whenever a leader starts.
func TestPeriodsFollowTheClock(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	for _, test := range []struct {
		every          time.Duration
		now, want, was string
	}{
		{time.Minute, "2026-11-30T01:02:03Z", "2026-11-30T01:03:00Z", "2026-11-30T01:02:00Z"},
		{time.Minute, "2026-11-30T01:03:00Z", "2026-11-30T01:04:00Z", "2026-11-30T01:03:00Z"},
		{time.Hour, "2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z", "2026-11-30T23:00:00Z"},
		{24 * time.Hour, "2026-11-30T23:30:00+02:00", "2026-12-01T00:00:00Z", "2026-11-30T00:00:00Z"},
	} {
		now := at(test.now)
		if got := periods(test.every).Next(now); !got.Equal(at(test.want)) {
			t.Errorf("after %s every %v: %v, want %s", test.now, test.every, got, test.want)
		}
		w := newPeriodicWorker(nil, func() time.Time { return now }, nil)
		if got := w.period(now.Add(-time.Hour), test.every); !got.Equal(at(test.was)) {
			t.Errorf("%s is in the period from %v, want %s", test.now, got, test.was)
		}
		// A leader whose clock is ahead has already inserted the job of the next period.
		if got := w.period(at(test.want), test.every); !got.Equal(at(test.want)) {
			t.Errorf("the job of %s is in the period from %v", test.want, got)
		}
	}
}
