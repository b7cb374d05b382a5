package tenant

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func TestThrottleLocksForGrowingTimes(t *testing.T) {
	t.Parallel()
	now, failures := noon, Failures{}
	for i, want := range []float64{0, 0, 0, 0, 1, 2, 4, 8, 15, 15, 15} {
		failures = AccountThrottle.Fail(failures, now)
		if wait := failures.Wait(now).Minutes(); wait != want {
			t.Fatalf("failure %d: locked for %v minutes, want %v", i+1, wait, want)
		}
		now = now.Add(failures.Wait(now)) // the earliest retry
		if failures.Wait(now) != 0 || failures.Wait(now.Add(-time.Millisecond)) == 0 && want > 0 {
			t.Fatalf("failure %d: still locked after the wait", i+1)
		}
	}
}

func TestThrottleForgives(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		throttle Throttle
		count    int
		pause    time.Duration
		want     int
	}{
		"nothing before Forgive":               {AccountThrottle, 4, 15*time.Minute - 1, 5},
		"one after Forgive":                    {AccountThrottle, 4, 15 * time.Minute, 4},
		"all in the end":                       {AccountThrottle, 4, 24 * time.Hour, 1},
		"sooner for a network":                 {AddressThrottle, 99, 3 * time.Minute, 97},
		"nothing after the clock was set back": {AccountThrottle, 3, -time.Hour, 4},
	} {
		got := row.throttle.Fail(Failures{Count: row.count, Last: noon}, noon.Add(row.pause))
		if got.Count != row.want {
			t.Errorf("%s: got %d failures, want %d", name, got.Count, row.want)
		}
	}
}

func TestAddressMayFailMoreOften(t *testing.T) {
	t.Parallel()
	failures := Failures{}
	for range 99 {
		failures = AddressThrottle.Fail(failures, noon)
	}
	if failures.Wait(noon) != 0 {
		t.Error("locked after 99 failures")
	}
	if failures = AddressThrottle.Fail(failures, noon); failures.Wait(noon) != time.Minute {
		t.Errorf("locked for %v after 100 failures", failures.Wait(noon))
	}
}

func TestSubjects(t *testing.T) {
	t.Parallel()
	if elsewhereSubject("192.0.2.1") == addressSubject("192.0.2.1") {
		t.Error("subjects of an account and of a network collide")
	}
}
