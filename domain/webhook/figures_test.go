package webhook

import (
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

func TestCountersOfAnAttempt(t *testing.T) {
	started := time.Date(2026, 11, 28, 12, 4, 59, 0, time.UTC)
	instant := moment.New(started)
	pending := Delivery{State: Pending, NextAttemptAt: &instant}
	lastTime := Delivery{State: Pending, ScheduledCount: 6, AttemptCount: 6, NextAttemptAt: &instant}
	failed := Delivery{State: Pending, ScheduledCount: 7, AttemptCount: 7, RetryRequested: true, FailedAt: &instant}
	delivered := Delivery{State: Pending, ScheduledCount: 1, AttemptCount: 1, RetryRequested: true, DeliveredAt: &instant}
	canceled := Delivery{State: Pending, ScheduledCount: 1, AttemptCount: 1, RetryRequested: true}
	lastWished := lastTime
	lastWished.RetryRequested = true
	ok, gone := 204, 410
	for _, c := range []struct {
		name                         string
		before                       Delivery
		status                       int
		byHand                       bool
		succeeded, delivered, failed int
	}{
		{"a first success", pending, ok, false, 1, 1, 0},
		{"a failure that is retried", pending, gone, false, 0, 0, 0},
		{"the last failure of the schedule", lastTime, gone, false, 0, 0, 1},
		{"the last failure, with a manual retry pending", lastWished, gone, false, 0, 0, 1},
		{"a success at the last attempt", lastTime, ok, false, 1, 1, 0},
		{"a manual success during the schedule", pending, ok, true, 1, 1, 0},
		{"a manual success after it failed", failed, ok, true, 1, 1, 0},
		{"a manual success after it was canceled", canceled, ok, true, 1, 1, 0},
		{"another failure after it failed", failed, gone, true, 0, 0, 0},
		{"another success after delivery", delivered, ok, true, 1, 0, 0},
		{"a manual failure after delivery", delivered, gone, true, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			attempt := Attempt{
				Number: c.before.AttemptCount + 1, StartedAt: instant, DurationMS: 12, Status: &c.status, ByHand: c.byHand,
			}
			verdict := DefaultRetrySchedule().Judge(c.before, attempt, 0)
			got := verdict.Figures
			want := Figures{Calls: 1, Succeeded: c.succeeded, Delivered: c.delivered, Failed: c.failed, Milliseconds: 12}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if noFailure := c.before.FailedAt != nil && c.status == ok; (verdict.NoFailure != nil) != noFailure {
				t.Errorf("removes an earlier failure: %t", !noFailure)
			}
		})
	}
}

func TestTallyAddsUpBySlotTypeAndOutcome(t *testing.T) {
	noon := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	tally := Tally{}
	add := func(webhookID string, kind domain.EventType, after time.Duration, ms int, a Attempt) {
		a.StartedAt, a.DurationMS = moment.New(noon.Add(after)), ms
		d := Delivery{WebhookID: webhookID, Type: kind}
		tally.Add(a, Verdict{Delivery: d, Figures: Figures{Calls: 1, Milliseconds: int64(ms)}})
	}
	status, timeout := 200, Failure("timeout")
	add("b", "ticket.created", 4*time.Minute+59*time.Second, 5, Attempt{Status: &status})
	add("b", "ticket.created", 5*time.Minute, 5, Attempt{Status: &status})
	add("b", "ticket.updated", 0, 40, Attempt{Failure: &timeout})
	add("a", "ticket.created", 0, 6, Attempt{Status: &status})
	type line struct {
		webhook string
		part    Part
		value   string
		minute  int
		calls   int
		ms      int64
		bins    int
	}
	want := []line{
		{"a", AllCalls, "", 0, 1, 6, 7},
		{"a", ByOutcome, "200", 0, 1, 6, 0},
		{"a", ByType, "ticket.created", 0, 1, 6, 0},
		{"b", AllCalls, "", 0, 2, 45, 27},
		{"b", AllCalls, "", 5, 1, 5, 6},
		{"b", ByOutcome, "200", 0, 1, 5, 0},
		{"b", ByOutcome, "200", 5, 1, 5, 0},
		{"b", ByOutcome, "timeout", 0, 1, 40, 0},
		{"b", ByType, "ticket.created", 0, 1, 5, 0},
		{"b", ByType, "ticket.created", 5, 1, 5, 0},
		{"b", ByType, "ticket.updated", 0, 1, 40, 0},
	}
	sorted := tally.Sorted()
	if len(sorted) != len(want) {
		t.Fatalf("got %d rows, want %d", len(sorted), len(want))
	}
	for i, c := range sorted {
		got := line{c.WebhookID, c.Part, c.Value, c.At.Minute(), c.Calls, c.Milliseconds, len(c.Times)}
		if got != want[i] {
			t.Errorf("row %d: got %+v, want %+v", i, got, want[i])
		}
	}
}

func TestATallySubtractsAFailureWhereItWasCounted(t *testing.T) {
	status, noon := 200, time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	failed := moment.New(noon.Add(-2*time.Hour + time.Minute))
	tally := Tally{}
	tally.Add(Attempt{StartedAt: moment.New(noon), Status: &status}, Verdict{
		Delivery: Delivery{WebhookID: "w", Type: "ticket.created"}, Figures: Figures{Calls: 1, Delivered: 1}, NoFailure: &failed,
	})
	for key, want := range map[FigureKey]Figures{
		{"w", AllCalls, "", noon}:                                 {Calls: 1, Delivered: 1},
		{"w", ByType, "ticket.created", noon}:                     {Calls: 1, Delivered: 1},
		{"w", ByOutcome, "200", noon}:                             {Calls: 1, Delivered: 1},
		{"w", AllCalls, "", noon.Add(-2 * time.Hour)}:             {Failed: -1},
		{"w", ByType, "ticket.created", noon.Add(-2 * time.Hour)}: {Failed: -1},
	} {
		if got := tally[key].Figures; got != want {
			t.Errorf("%v: got %+v, want %+v", key, got, want)
		}
	}
	if len(tally) != 5 {
		t.Errorf("got %d rows", len(tally))
	}
}

func TestRateAndAverage(t *testing.T) {
	for _, c := range []struct {
		name    string
		figures Figures
		rate    float64 // -1 means none
		average float64
	}{
		{"no call", Figures{}, -1, -1},
		{"calls of pending deliveries", Figures{Calls: 3, Milliseconds: 30}, -1, 10},
		{"all delivered", Figures{Calls: 4, Delivered: 4, Milliseconds: 6}, 1, 1.5},
		{"one of four failed", Figures{Calls: 10, Delivered: 3, Failed: 1, Milliseconds: 10}, 0.75, 1},
		{"nothing delivered", Figures{Calls: 7, Failed: 1}, 0, 0},
	} {
		rate, average := c.figures.DeliveryRate(), c.figures.AverageMS()
		if (rate == nil) != (c.rate < 0) || (rate != nil && *rate != c.rate) {
			t.Errorf("%s: rate is %v, want %v", c.name, rate, c.rate)
		}
		if (average == nil) != (c.average < 0) || (average != nil && *average != c.average) {
			t.Errorf("%s: average is %v, want %v", c.name, average, c.average)
		}
	}
}
