package domain_test

import (
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

func TestAnUpdateCanRequireAnExpectedState(t *testing.T) {
	now := moment.New(time.Date(2026, time.November, 29, 12, 0, 0, 0, time.UTC))
	before := moment.New(now.Add(-time.Millisecond))
	tags := func(tags ...string) *domain.Precondition { return &domain.Precondition{Tags: tags} }
	for name, c := range map[string]struct {
		expected *moment.DateTime
		ifMatch  *domain.Precondition
		want     domain.Code
	}{
		"neither":                  {nil, nil, ""},
		"same time":                {&now, nil, ""},
		"older time":               {&before, nil, domain.CodeConflict},
		"any tag":                  {nil, &domain.Precondition{Any: true}, ""},
		"current tag":              {nil, tags(now.String()), ""},
		"current tag among others": {nil, tags("a", now.String()), ""},
		"older tag":                {nil, tags(before.String()), domain.CodePreconditionFailed},
		"no strong tag":            {nil, tags(), domain.CodePreconditionFailed},
		"same time, older tag":     {&now, tags(before.String()), domain.CodePreconditionFailed},
		"older time, current tag":  {&before, tags(now.String()), domain.CodeConflict},
	} {
		ctx := domain.WithCall(t.Context(), domain.Call{IfMatch: c.ifMatch})
		err := domain.Unchanged(ctx, c.expected, now)
		if (c.want == "" && err != nil) || (c.want != "" && !domain.HasCode(err, c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestEachStateHasOwnUpdatedAt(t *testing.T) {
	now := time.Date(2026, time.November, 29, 12, 0, 0, 999_999, time.UTC)
	for before, want := range map[time.Duration]time.Duration{-time.Second: 0, 0: time.Millisecond, time.Hour: time.Hour + time.Millisecond} {
		at := moment.New(now)
		if got := domain.NextUpdate(now, moment.New(now.Add(before))); got.Sub(at.Time) != want {
			t.Errorf("after one %s from now: %s, want %s", before, got, want)
		}
	}
}
