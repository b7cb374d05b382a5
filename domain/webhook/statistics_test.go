package webhook

import (
	"testing"
	"time"
)

func TestPeriodsEndWithCurrentSlot(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 34, 56, 0, time.FixedZone("", 3600))
	for period, from := range map[Period]string{
		Hour: "2026-11-28T10:35:00Z", Day: "2026-11-27T11:35:00Z", Week: "2026-11-21T11:35:00Z",
	} {
		got, until := period.window(now)
		if got.Format(time.RFC3339) != from || until.Format(time.RFC3339) != "2026-11-28T11:35:00Z" {
			t.Errorf("%s: got %v to %v", period, got, until)
		}
	}
	if err := Period("MONTH").check(); err == nil {
		t.Error("an unknown period was accepted")
	}
}

func TestStatisticsAddUpCounters(t *testing.T) {
	from := time.Date(2026, 11, 28, 11, 0, 0, 0, time.UTC)
	counted := func(part Part, value string, step, calls int, times ...int) CountedStep {
		c := CountedStep{Step: step}
		c.Part, c.Value, c.Figures = part, value, Figures{Calls: calls, Milliseconds: int64(10 * calls)}
		for _, ms := range times {
			c.Times = c.Times.With(ms)
		}
		return c
	}
	got := newStatistics("w", StatisticsQuery{From: from, Step: Slot, Steps: 12}, []CountedStep{
		counted(AllCalls, "", 0, 1, 10), counted(AllCalls, "", 11, 3), counted(AllCalls, "", 11, 0, 2, 2, 14),
		counted(ByType, "ticket.updated", 0, 2), counted(ByType, "ticket.created", 0, 2),
		counted(ByOutcome, "200", 0, 1), counted(ByOutcome, "503", 0, 3),
	})
	if got.Calls != 4 || *got.AverageMS() != 10 || *got.P50MS() != 2 || *got.P95MS() != 14 {
		t.Errorf("got %+v in total", got.Step)
	}
	if len(got.Series) != 12 || got.Series[0].Calls != 1 || got.Series[5].Calls != 0 || got.Series[11].Calls != 3 ||
		*got.Series[0].P95MS() != 10 || got.Series[5].P50MS() != nil || *got.Series[11].P50MS() != 2 {
		t.Errorf("got series %+v", got.Series)
	}
	if first, last := got.Series[0].From, got.Series[11].Until; !first.Equal(from) || !last.Equal(from.Add(time.Hour)) ||
		!got.From.Equal(from) || !got.Until.Equal(last.Time) {
		t.Errorf("got %v to %v", first, last)
	}
	for i, want := range []string{"ticket.created", "ticket.updated"} {
		if got.ByType[i].Value != want {
			t.Errorf("type %d is %s", i, got.ByType[i].Value)
		}
	}
	if got.ByOutcome[0].Value != "503" || got.ByOutcome[0].Calls != 3 || got.ByOutcome[1].Value != "200" {
		t.Errorf("got outcomes %+v", got.ByOutcome)
	}
}
