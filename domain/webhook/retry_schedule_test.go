package webhook

import (
	"strings"
	"testing"
	"time"
)

func TestDefaultRetryScheduleStaysWithinItsJitter(t *testing.T) {
	schedule := DefaultRetrySchedule()
	for i, want := range []struct{ shortest, longest time.Duration }{
		{30 * time.Second, 33 * time.Second},
		{108 * time.Second, 132 * time.Second},
		{432 * time.Second, 528 * time.Second},
		{27 * time.Minute, 33 * time.Minute},
		{54 * time.Minute, 66 * time.Minute},
		{108 * time.Minute, 120 * time.Minute},
	} {
		low, _ := schedule.Wait(i+1, 0, 0)
		middle, _ := schedule.Wait(i+1, 0.5, 0)
		high, _ := schedule.Wait(i+1, 1, 0)
		if low != want.shortest || high != want.longest || middle != (want.shortest+want.longest)/2 {
			t.Errorf("wait before attempt %d: %s, %s, %s", i+2, low, middle, high)
		}
	}
	for _, created := range []int{0, 7, 8} {
		if wait, more := schedule.Wait(created, 0, 0); more {
			t.Errorf("after %d attempts there is another one, in %s", created, wait)
		}
	}
	if schedule.Retries() != 6 {
		t.Errorf("got %d retries", schedule.Retries())
	}
}

func TestRetryAfterLengthensAWaitUpToTwoHours(t *testing.T) {
	schedule := DefaultRetrySchedule()
	for _, c := range []struct{ asked, want time.Duration }{
		{0, 30 * time.Second},
		{time.Second, 30 * time.Second},
		{90 * time.Second, 90 * time.Second},
		{2 * time.Hour, 2 * time.Hour},
		{3 * time.Hour, 2 * time.Hour},
	} {
		if got, _ := schedule.Wait(1, 0, c.asked); got != c.want {
			t.Errorf("with Retry-After %s the wait is %s", c.asked, got)
		}
	}
}

func TestParseRetrySchedule(t *testing.T) {
	schedule, err := ParseRetrySchedule("1s, 250ms,0s")
	if err != nil || schedule.Retries() != 3 {
		t.Fatalf("%v, %v", schedule, err)
	}
	for created, want := range map[int]time.Duration{1: time.Second, 2: 250 * time.Millisecond, 3: 0} {
		if low, _ := schedule.Wait(created, 0, 0); low != want {
			t.Errorf("after %d attempts: %s", created, low)
		}
		if high, _ := schedule.Wait(created, 0.99, 0); high != want {
			t.Errorf("after %d attempts there is jitter: %s", created, high)
		}
	}
	tooMany := "1s" + strings.Repeat(",1s", 20)
	for _, bad := range []string{"", ",", "1s,", "30", "-1s", "a", tooMany} {
		if schedule, err := ParseRetrySchedule(bad); err == nil {
			t.Errorf("%q was parsed as %v", bad, schedule)
		}
	}
	if _, err := ParseRetrySchedule(tooMany[:len(tooMany)-3]); err != nil {
		t.Errorf("twenty durations: %v", err)
	}
}
