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

// waiting is a delivery whose next attempt of the schedule is due then.
func waiting(due time.Duration) Delivery {
	return Delivery{ID: "d", State: Pending, NextAttemptAt: at(due), CreatedAt: *at(-time.Hour), UpdatedAt: *at(-time.Hour)}
}

// answer is an attempt made at noon that took a second.
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
			t.Fatalf("before attempt %d the delivery is %s", number, d.State)
		}
		verdict := schedule.Judge(d, answer(number, 410), 0)
		d = verdict.Delivery
		if d.NextAttemptAt != nil {
			waits = append(waits, d.NextAttemptAt.Sub(noon.Add(time.Second)))
			want := WakeUp{DeliveryID: "d", WebhookID: d.WebhookID, Lane: RetryLane, At: d.NextAttemptAt.Time}
			if len(verdict.WakeUps) != 1 || verdict.WakeUps[0] != want {
				t.Errorf("attempt %d wakes up %v", number, verdict.WakeUps)
			}
		}
	}
	want := []time.Duration{30 * time.Second, 108 * time.Second, 432 * time.Second, 27 * time.Minute, 54 * time.Minute, 108 * time.Minute}
	for i := range want {
		if len(waits) != 6 || waits[i] != want[i] {
			t.Fatalf("waits %v", waits)
		}
	}
	if d.State != Failed || d.AttemptCount != 7 || d.ScheduledCount != 7 || d.DeliveredAt != nil {
		t.Errorf("ends as %+v", d)
	}
}

func TestJudge(t *testing.T) {
	schedule, _ := ParseRetrySchedule("1m")
	byHand := func(a Attempt) Attempt { a.ByHand = true; return a }
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
		counted int // by the schedule
		asked   bool
		wakeUps int
	}{
		{"a 2xx delivers", waiting(0), answer(1, 204), Delivered, nil, 1, false, 0},
		{"a 3xx delivers", waiting(0), answer(1, 302), Delivered, nil, 1, false, 0},
		{"a 404 is tried again", waiting(0), answer(1, 404), Pending, at(61 * time.Second), 1, false, 1},
		{
			"no answer is tried again",
			waiting(0),
			Attempt{Number: 1, StartedAt: *at(0), Failure: &failure},
			Pending, at(time.Minute), 1, false, 1,
		},
		{
			"a status that is no answer is tried again",
			waiting(0), unusable, Pending, at(61 * time.Second), 1, false, 1,
		},
		{
			"a failed attempt by hand leaves the schedule as it is",
			asked(waiting(time.Hour), 0), byHand(answer(1, 500)), Pending, at(time.Hour), 0, false, 0,
		},
		{
			"an attempt by hand that delivers ends the schedule",
			asked(waiting(time.Hour), 0), byHand(answer(1, 200)), Delivered, nil, 0, false, 0,
		},
		{
			"a failed attempt by hand after the schedule ends as failed",
			asked(exhausted, 0), byHand(answer(3, 500)), Failed, nil, 2, false, 0,
		},
		{"a failed attempt by hand leaves canceled what was canceled", asked(canceled, 0), byHand(answer(2, 500)), Canceled, nil, 1, false, 0},
		{"a failed attempt by hand does not undo a success", asked(delivered, 0), byHand(answer(3, 500)), Delivered, nil, 2, false, 0},
		{
			"a wish during a scheduled attempt stands when that fails",
			asked(waiting(0), 500*time.Millisecond), answer(1, 500), Pending, at(61 * time.Second), 1, true, 2,
		},
		{
			"a wish during a scheduled attempt is fulfilled when that succeeds",
			asked(waiting(0), 500*time.Millisecond), answer(1, 200), Delivered, nil, 1, false, 0,
		},
	} {
		verdict := schedule.Judge(c.before, c.attempt, 0.5)
		after := verdict.Delivery
		if after.State != c.state || after.ScheduledCount != c.counted || after.RetryRequested != c.asked ||
			after.AttemptCount != c.attempt.Number || len(verdict.WakeUps) != c.wakeUps || !equal(after.NextAttemptAt, c.next) {
			t.Errorf("%s: %+v, next %v, wake-ups %v", c.name, after, after.NextAttemptAt, verdict.WakeUps)
		}
		if (after.State == Delivered) != (after.DeliveredAt != nil) {
			t.Errorf("%s: %s, delivered at %v", c.name, after.State, after.DeliveredAt)
		}
	}
}

// A delivery is given up, or delivered, once, whatever attempts by hand make of it afterwards.
func TestADeliveryEndsOnce(t *testing.T) {
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
		made := answer(i+1, step.status)
		made.ByHand = step.byHand
		verdict := schedule.Judge(d, made, 0)
		d = verdict.Delivery
		_, notice := verdict.GivenUp(made)
		if verdict.End() != step.want || notice != (step.want == Failed) {
			t.Errorf("attempt %d: ends as %q, with a notice %t; want %q", i+1, verdict.End(), notice, step.want)
		}
	}
}

func TestTurn(t *testing.T) {
	canceled := asked(waiting(0), 0).Cancel(noon)
	for _, c := range []struct {
		name string
		d    Delivery
		lane Lane
		want Turn
	}{
		{"a due attempt is made", waiting(0), FirstLane, Go},
		{"a wake-up that clocks made a little early is followed", waiting(skew), RetryLane, Go},
		{"a wake-up long before its time is outdated", waiting(skew + time.Millisecond), RetryLane, Nothing},
		{"a first attempt is made whatever the clocks say", waiting(time.Hour), FirstLane, Go},
		{
			"a first wake-up that comes again after the attempt is outdated",
			func() Delivery { d := waiting(time.Hour); d.ScheduledCount = 1; return d }(), FirstLane, Nothing,
		},
		{"a wish that nobody has is no attempt", waiting(0), ByHandLane, Nothing},
		{"a wish is an attempt whatever the schedule says", asked(waiting(time.Hour), 0), ByHandLane, Go},
		{"the schedule steps aside for a wish that came before", asked(waiting(0), -time.Second), RetryLane, Later},
		{"a wish waits for a scheduled attempt that was due before", asked(waiting(-time.Second), 0), RetryLane, Go},
		{"a delivered one is left alone", Delivery{State: Delivered}, FirstLane, Nothing},
		{"a failed one is left alone", Delivery{State: Failed}, RetryLane, Nothing},
		{"a canceled one is left alone", canceled, ByHandLane, Nothing},
	} {
		if got := c.d.Turn(c.lane, noon, noon); got != c.want {
			t.Errorf("%s: turn %d", c.name, got)
		}
	}
}

// A job that is rescued comes long after its time, and a delivery of it may have gone on meanwhile.
func TestTurnOfAWakeUpThatComesTooLate(t *testing.T) {
	wentOn := waiting(-5 * time.Second)
	wentOn.ScheduledCount = 3
	for _, c := range []struct {
		name  string
		d     Delivery
		lane  Lane
		meant time.Duration
		want  Turn
	}{
		{"the attempt that it was meant for is made", wentOn, RetryLane, -5 * time.Second, Go},
		{"clocks may differ", wentOn, RetryLane, -5*time.Second - skew, Go},
		{"a later attempt has a wake-up of its own", wentOn, RetryLane, -5*time.Second - skew - time.Millisecond, Nothing},
		{"after a first attempt as well", wentOn, FirstLane, -20 * time.Second, Nothing},
		{"a first attempt is made whatever the clocks say", waiting(-time.Second), RetryLane, -time.Hour, Go},
		{"a wish as well", asked(wentOn, 0), ByHandLane, -time.Hour, Go},
	} {
		if got := c.d.Turn(c.lane, noon.Add(c.meant), noon); got != c.want {
			t.Errorf("%s: turn %d", c.name, got)
		}
	}
}

func TestRetrigger(t *testing.T) {
	failed := Delivery{ID: "d", State: Failed, UpdatedAt: *at(-time.Hour)}
	tried := failed // asked for a second ago, and the attempt ended half a second ago
	tried.RetriggeredAt, tried.UpdatedAt = at(-time.Second), *at(-500 * time.Millisecond)

	for _, c := range []struct {
		name    string
		d       Delivery
		arrived time.Duration
		changed bool
		wakeUps int
	}{
		{"a failed delivery is tried at once", failed, 0, true, 1},
		{"a delivered one as well", Delivery{ID: "d", State: Delivered}, 0, true, 1},
		{"one that waits for its next attempt as well", waiting(time.Hour), 0, true, 1},
		{"one that is due or running waits for the outcome", waiting(0), 0, true, 0},
		{"an open wish is the same wish", asked(failed, -time.Hour), 0, false, 0},
		{"a request that had arrived before the attempt ended is the same wish", tried, -500 * time.Millisecond, false, 0},
		{"a double click is the same wish", tried, -701 * time.Millisecond, false, 0},
		{"a request after the attempt is a new wish", tried, -499 * time.Millisecond, true, 1},
	} {
		verdict, changed := c.d.Retrigger(noon.Add(c.arrived))
		if changed != c.changed || len(verdict.WakeUps) != c.wakeUps {
			t.Errorf("%s: changed %t, wake-ups %v", c.name, changed, verdict.WakeUps)
		}
		if changed && (verdict.Delivery.State != Pending || !verdict.Delivery.RetryRequested) {
			t.Errorf("%s: %+v", c.name, verdict.Delivery)
		}
	}
}

func TestCancel(t *testing.T) {
	d := asked(waiting(0), 0).Cancel(noon)
	if d.State != Canceled || d.RetryRequested || d.NextAttemptAt != nil || !d.UpdatedAt.Equal(noon) {
		t.Errorf("%+v", d)
	}
	delivered := asked(Delivery{DeliveredAt: at(-time.Hour)}, 0)
	if d := delivered.Cancel(noon); d.State != Delivered || d.RetryRequested {
		t.Errorf("what was delivered is %+v", d)
	}
	failed, _ := Delivery{State: Failed, UpdatedAt: *at(-time.Hour)}.Retrigger(noon.Add(-time.Minute))
	if d := failed.Delivery.Cancel(noon); d.State != Failed || d.RetryRequested || !d.FailedAt.Equal(noon.Add(-time.Hour)) {
		t.Errorf("what had failed is %+v", d)
	}
}

// A re-trigger that is called off is no second end.
func TestCalledOff(t *testing.T) {
	for name, c := range map[string]struct {
		d     Delivery
		ended State
	}{
		"waiting":           {waiting(0), Canceled},
		"waiting and asked": {asked(waiting(0), 0), Canceled},
		"delivered":         {asked(Delivery{DeliveredAt: at(-time.Hour)}, 0), ""},
		"failed":            {asked(Delivery{FailedAt: at(-time.Hour)}, 0), ""},
		"canceled":          {asked(waiting(0).Cancel(noon), 0), ""},
	} {
		if called := c.d.CalledOff(noon); called.Ended != c.ended || !called.OK || called.After != c.d.Cancel(noon) {
			t.Errorf("%s: %+v", name, called)
		}
	}
}

// What a delivery came to does not depend on the schedule that an operator sets afterwards.
func TestAnotherScheduleChangesNoEnd(t *testing.T) {
	short, _ := ParseRetrySchedule("1m")
	long, _ := ParseRetrySchedule("1m,1m,1m")
	status := 500
	failed := Delivery{State: Pending, AttemptCount: 1, ScheduledCount: 1, NextAttemptAt: at(0)}
	failed = short.Judge(failed, Attempt{Number: 2, Status: &status, StartedAt: *at(0)}, 0).Delivery
	canceled := waiting(2).Cancel(noon)
	if failed.State != Failed || canceled.State != Canceled {
		t.Fatalf("%s and %s", failed.State, canceled.State)
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

func TestAWaitIsNeverCutShortByRounding(t *testing.T) {
	if got := roundedUp(noon.Add(time.Nanosecond)); !got.Equal(noon.Add(time.Millisecond)) {
		t.Errorf("rounded to %s", got)
	}
	if got := roundedUp(noon); !got.Equal(noon) {
		t.Errorf("a whole millisecond became %s", got)
	}
}

func equal(a, b *moment.DateTime) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Equal(b.Time))
}
