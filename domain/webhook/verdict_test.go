package webhook

import (
	"testing"
	"time"

	"ticketgate/domain/moment"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func at(offset time.Duration) *moment.DateTime {
	when := moment.New(noon.Add(offset))
	return &when
}

// waiting returns a delivery whose next scheduled attempt is due at noon plus the offset.
func waiting(due time.Duration) Delivery {
	return Delivery{ID: "d", State: Pending, NextAttemptAt: at(due), CreatedAt: *at(-time.Hour), UpdatedAt: *at(-time.Hour)}
}

// answer returns an attempt that was made at noon and took a second.
func answer(number, status int) Attempt {
	return Attempt{Number: number, StartedAt: *at(0), DurationMS: 1000, Status: &status}
}

func asked(d Delivery, when time.Duration) Delivery {
	d.State, d.RetryRequested, d.RetriggeredAt, d.UpdatedAt = Pending, true, at(when), *at(when)
	return d
}

func TestSevenFailuresEndADelivery(t *testing.T) {
	schedule := DefaultRetrySchedule()
	d := waiting(0)
	var waits []time.Duration
	for number := 1; number <= 7; number++ {
		if d.State != Pending {
			t.Fatalf("before attempt %d the state is %s", number, d.State)
		}
		verdict := schedule.Judge(d, answer(number, 410), 0)
		d = verdict.Delivery
		if d.NextAttemptAt != nil {
			waits = append(waits, d.NextAttemptAt.Sub(noon.Add(time.Second)))
			want := Job{DeliveryID: "d", WebhookID: d.WebhookID, Queue: RetryQueue, At: d.NextAttemptAt.Time}
			if len(verdict.Jobs) != 1 || verdict.Jobs[0] != want {
				t.Errorf("attempt %d leads to wake-ups %v", number, verdict.Jobs)
			}
		}
	}
	want := []time.Duration{30 * time.Second, 108 * time.Second, 432 * time.Second, 27 * time.Minute, 54 * time.Minute, 108 * time.Minute}
	for i := range want {
		if len(waits) != 6 || waits[i] != want[i] {
			t.Fatalf("got waits %v", waits)
		}
	}
	if d.State != Failed || d.AttemptCount != 7 || d.ScheduledCount != 7 || d.DeliveredAt != nil {
		t.Errorf("the delivery ends as %+v", d)
	}
}

func TestJudge(t *testing.T) {
	schedule, _ := ParseRetrySchedule("1m")
	manual := func(a Attempt) Attempt { a.ByHand = true; return a }
	failure := Failure("dns")
	unusable := answer(1, 200)
	unusable.Failure = &failure
	exhausted := Delivery{ID: "d", State: Failed, AttemptCount: 2, ScheduledCount: 2, UpdatedAt: *at(-time.Minute), FailedAt: at(-time.Minute)}
	canceled := Delivery{ID: "d", State: Canceled, AttemptCount: 1, ScheduledCount: 1, UpdatedAt: *at(-time.Minute)}
	delivered := exhausted
	delivered.State, delivered.DeliveredAt = Delivered, at(-time.Minute)

	for _, c := range []struct {
		name    string
		before  Delivery
		attempt Attempt
		state   State
		next    *moment.DateTime
		counted int // scheduled attempts
		asked   bool
		jobs    int
	}{
		{"a 2xx delivers", waiting(0), answer(1, 204), Delivered, nil, 1, false, 0},
		{"a 3xx delivers", waiting(0), answer(1, 302), Delivered, nil, 1, false, 0},
		{"a 404 is retried", waiting(0), answer(1, 404), Pending, at(61 * time.Second), 1, false, 1},
		{
			"a missing response is retried",
			waiting(0),
			Attempt{Number: 1, StartedAt: *at(0), Failure: &failure},
			Pending, at(time.Minute), 1, false, 1,
		},
		{
			"an incomplete response is retried",
			waiting(0), unusable, Pending, at(61 * time.Second), 1, false, 1,
		},
		{
			"a failed manual attempt leaves the schedule as it is",
			asked(waiting(time.Hour), 0), manual(answer(1, 500)), Pending, at(time.Hour), 0, false, 0,
		},
		{
			"a successful manual attempt ends the schedule",
			asked(waiting(time.Hour), 0), manual(answer(1, 200)), Delivered, nil, 0, false, 0,
		},
		{
			"a failed manual attempt after the schedule ends as failed",
			asked(exhausted, 0), manual(answer(3, 500)), Failed, nil, 2, false, 0,
		},
		{"a failed manual attempt keeps a delivery canceled", asked(canceled, 0), manual(answer(2, 500)), Canceled, nil, 1, false, 0},
		{"a failed manual attempt does not undo a success", asked(delivered, 0), manual(answer(3, 500)), Delivered, nil, 2, false, 0},
		{
			"a request during a scheduled attempt stays open if that fails",
			asked(waiting(0), 500*time.Millisecond), answer(1, 500), Pending, at(61 * time.Second), 1, true, 2,
		},
		{
			"a request during a scheduled attempt is fulfilled if that succeeds",
			asked(waiting(0), 500*time.Millisecond), answer(1, 200), Delivered, nil, 1, false, 0,
		},
	} {
		verdict := schedule.Judge(c.before, c.attempt, 0.5)
		after := verdict.Delivery
		if after.State != c.state || after.ScheduledCount != c.counted || after.RetryRequested != c.asked ||
			after.AttemptCount != c.attempt.Number || len(verdict.Jobs) != c.jobs || !equal(after.NextAttemptAt, c.next) {
			t.Errorf("%s: %+v, next %v, wake-ups %v", c.name, after, after.NextAttemptAt, verdict.Jobs)
		}
		if (after.State == Delivered) != (after.DeliveredAt != nil) {
			t.Errorf("%s: %s, delivered at %v", c.name, after.State, after.DeliveredAt)
		}
	}
}

// A delivery is given up or delivered once, whatever the result of later manual attempts.
func TestDeliveryEndsOnce(t *testing.T) {
	schedule, _ := ParseRetrySchedule("1m")
	d := waiting(0)
	for i, step := range []struct {
		status int
		byHand bool
		want   State
	}{
		{500, false, ""}, {500, true, ""}, {500, false, Failed}, {500, true, ""}, {200, true, Delivered}, {500, true, ""}, {200, true, ""},
	} {
		if step.byHand {
			d = asked(d, time.Duration(i)*time.Minute)
		}
		attempt := answer(i+1, step.status)
		attempt.ByHand = step.byHand
		verdict := schedule.Judge(d, attempt, 0)
		d = verdict.Delivery
		_, notice := verdict.GivenUp(attempt)
		if verdict.End() != step.want || notice != (step.want == Failed) {
			t.Errorf("attempt %d: ends as %q, audited %t; want %q", i+1, verdict.End(), notice, step.want)
		}
	}
}

func TestNextAction(t *testing.T) {
	canceled := asked(waiting(0), 0).Cancel(noon)
	for _, c := range []struct {
		name string
		d    Delivery
		lane Queue
		want Action
	}{
		{"a due attempt is made", waiting(0), FirstQueue, Call},
		{"a slightly early wake-up is accepted", waiting(skew), RetryQueue, Call},
		{"a wake-up that is too early is outdated", waiting(skew + time.Millisecond), RetryQueue, Skip},
		{"a first attempt is made whatever the clocks say", waiting(time.Hour), FirstQueue, Call},
		{
			"a repeated first wake-up is outdated",
			func() Delivery { d := waiting(time.Hour); d.ScheduledCount = 1; return d }(), FirstQueue, Skip,
		},
		{"a manual wake-up without a request does nothing", waiting(0), ManualQueue, Skip},
		{"a request is attempted whatever the schedule says", asked(waiting(time.Hour), 0), ManualQueue, Call},
		{"the schedule waits for an earlier request", asked(waiting(0), -time.Second), RetryQueue, Postpone},
		{"a request waits for an earlier scheduled attempt", asked(waiting(-time.Second), 0), RetryQueue, Call},
		{"a delivered delivery is not attempted", Delivery{State: Delivered}, FirstQueue, Skip},
		{"a failed delivery is not attempted", Delivery{State: Failed}, RetryQueue, Skip},
		{"a canceled delivery is not attempted", canceled, ManualQueue, Skip},
	} {
		if got := c.d.NextAction(c.lane, noon, noon); got != c.want {
			t.Errorf("%s: got turn %d", c.name, got)
		}
	}
}

// A rescued job runs long after its time, when its delivery may have had later attempts.
func TestLateJobIsSkipped(t *testing.T) {
	wentOn := waiting(-5 * time.Second)
	wentOn.ScheduledCount = 3
	for _, c := range []struct {
		name  string
		d     Delivery
		lane  Queue
		meant time.Duration
		want  Action
	}{
		{"its own attempt is made", wentOn, RetryQueue, -5 * time.Second, Call},
		{"clocks may differ", wentOn, RetryQueue, -5*time.Second - skew, Call},
		{"a later attempt has its own wake-up", wentOn, RetryQueue, -5*time.Second - skew - time.Millisecond, Skip},
		{"also after a first attempt", wentOn, FirstQueue, -20 * time.Second, Skip},
		{"a first attempt is made whatever the clocks say", waiting(-time.Second), RetryQueue, -time.Hour, Call},
		{"a request is attempted too", asked(wentOn, 0), ManualQueue, -time.Hour, Call},
	} {
		if got := c.d.NextAction(c.lane, noon.Add(c.meant), noon); got != c.want {
			t.Errorf("%s: got turn %d", c.name, got)
		}
	}
}

func TestRetrigger(t *testing.T) {
	failed := Delivery{ID: "d", State: Failed, UpdatedAt: *at(-time.Hour)}
	tried := failed // retried a second ago; the attempt ended half a second ago
	tried.RetriggeredAt, tried.UpdatedAt = at(-time.Second), *at(-500 * time.Millisecond)

	for _, c := range []struct {
		name    string
		d       Delivery
		arrived time.Duration
		changed bool
		jobs    int
	}{
		{"a failed delivery is attempted at once", failed, 0, true, 1},
		{"so is a delivered one", Delivery{ID: "d", State: Delivered}, 0, true, 1},
		{"so is one that waits for its next attempt", waiting(time.Hour), 0, true, 1},
		{"a due or running attempt is waited for", waiting(0), 0, true, 0},
		{"an open request is the same request", asked(failed, -time.Hour), 0, false, 0},
		{"a request before the attempt ended is the same", tried, -500 * time.Millisecond, false, 0},
		{"a double click is the same request", tried, -701 * time.Millisecond, false, 0},
		{"a request after the attempt is new", tried, -499 * time.Millisecond, true, 1},
	} {
		verdict, changed := c.d.Retrigger(noon.Add(c.arrived))
		if changed != c.changed || len(verdict.Jobs) != c.jobs {
			t.Errorf("%s: changed is %t, wake-ups are %v", c.name, changed, verdict.Jobs)
		}
		if changed && (verdict.Delivery.State != Pending || !verdict.Delivery.RetryRequested) {
			t.Errorf("%s: %+v", c.name, verdict.Delivery)
		}
	}
}

func TestCancel(t *testing.T) {
	d := asked(waiting(0), 0).Cancel(noon)
	if d.State != Canceled || d.RetryRequested || d.NextAttemptAt != nil || !d.UpdatedAt.Equal(noon) {
		t.Errorf("a pending delivery became %+v", d)
	}
	delivered := asked(Delivery{DeliveredAt: at(-time.Hour)}, 0)
	if d := delivered.Cancel(noon); d.State != Delivered || d.RetryRequested {
		t.Errorf("a delivered delivery became %+v", d)
	}
	failed, _ := Delivery{State: Failed, UpdatedAt: *at(-time.Hour)}.Retrigger(noon.Add(-time.Minute))
	if d := failed.Delivery.Cancel(noon); d.State != Failed || d.RetryRequested || !d.FailedAt.Equal(noon.Add(-time.Hour)) {
		t.Errorf("a failed delivery became %+v", d)
	}
}

// A canceled manual retry does not end a delivery again.
func TestCancelResult(t *testing.T) {
	for name, c := range map[string]struct {
		d     Delivery
		ended State
	}{
		"waiting":          {waiting(0), Canceled},
		"waiting, retried": {asked(waiting(0), 0), Canceled},
		"delivered":        {asked(Delivery{DeliveredAt: at(-time.Hour)}, 0), ""},
		"failed":           {asked(Delivery{FailedAt: at(-time.Hour)}, 0), ""},
		"canceled":         {asked(waiting(0).Cancel(noon), 0), ""},
	} {
		if result := c.d.CancelResult(noon); result.Ended != c.ended || !result.OK || result.After != c.d.Cancel(noon) {
			t.Errorf("%s: got %+v", name, result)
		}
	}
}

// The end of a delivery does not depend on a schedule that is configured later.
func TestChangedScheduleKeepsFinalStates(t *testing.T) {
	short, _ := ParseRetrySchedule("1m")
	long, _ := ParseRetrySchedule("1m,1m,1m")
	status := 500
	failed := Delivery{State: Pending, AttemptCount: 1, ScheduledCount: 1, NextAttemptAt: at(0)}
	failed = short.Judge(failed, Attempt{Number: 2, Status: &status, StartedAt: *at(0)}, 0).Delivery
	canceled := waiting(2).Cancel(noon)
	if failed.State != Failed || canceled.State != Canceled {
		t.Fatalf("got %s and %s", failed.State, canceled.State)
	}
	again := Attempt{Status: &status, ByHand: true, StartedAt: *at(time.Hour)}
	for _, schedule := range []RetrySchedule{short, long} {
		for state, d := range map[State]Delivery{Failed: failed, Canceled: canceled} {
			if got := schedule.Judge(asked(d, time.Hour), again, 0); got.Delivery.State != state || got.Figures.Failed != 0 {
				t.Errorf("%s became %s with %+v", state, got.Delivery.State, got.Figures)
			}
		}
	}
}

func TestRoundingNeverShortensWait(t *testing.T) {
	if got := roundUp(noon.Add(time.Nanosecond)); !got.Equal(noon.Add(time.Millisecond)) {
		t.Errorf("rounded to %s", got)
	}
	if got := roundUp(noon); !got.Equal(noon) {
		t.Errorf("a whole millisecond was rounded to %s", got)
	}
}

func equal(a, b *moment.DateTime) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Equal(b.Time))
}
