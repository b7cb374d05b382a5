package jobs

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// The log distinguishes a canceled delivery from a dropped retry. It has no line for a delivery that has changed
// meanwhile.
func TestUnwantedDeliveriesAreLoggedByKind(t *testing.T) {
	at := moment.New(time.Now().Add(-time.Hour))
	for name, c := range map[string]struct {
		of   webhook.Delivery
		told string
	}{
		"waiting":   {webhook.Delivery{NextAttemptAt: &at}, `msg="webhook delivery canceled" state=canceled`},
		"delivered": {webhook.Delivery{DeliveredAt: &at}, `msg="webhook delivery re-trigger called off" state=delivered`},
		"failed":    {webhook.Delivery{FailedAt: &at}, `msg="webhook delivery re-trigger called off" state=failed`},
		"moved on":  {},
	} {
		var log strings.Builder
		of := c.of
		of.State, of.RetryRequested = webhook.Pending, true
		by := caller{
			log: slog.New(slog.NewTextHandler(&log, nil)), now: time.Now, delivery: "webhook delivery",
			identity: func(webhook.Delivery) []any { return nil },
			cancel: func(_ context.Context, of webhook.Delivery, now time.Time) (webhook.Recorded, error) {
				if c.told == "" {
					return webhook.Recorded{}, nil
				}
				return of.CancelResult(now), nil
			},
		}
		attempt, result := by.call(t.Context(), webhook.Outgoing{Delivery: of}, webhook.ManualQueue, time.Now())
		if attempt != nil || result != (outcome{}) {
			t.Errorf("%s: %+v, %+v", name, attempt, result)
		}
		if got := log.String(); (c.told == "") != (got == "") || !strings.Contains(got, c.told) {
			t.Errorf("%s: logged %q", name, got)
		}
	}
}

// A process that was paused past its jobs' deadline makes no calls when it resumes: another process may have taken
// the jobs over.
func TestNoCallStartsAfterAJobsDeadline(t *testing.T) {
	over, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	now := moment.New(time.Now())
	due := webhook.Outgoing{Wanted: true, Delivery: webhook.Delivery{State: webhook.Pending, NextAttemptAt: &now}}
	attempt, result := caller{now: time.Now}.call(over, due, webhook.FirstQueue, now.Time)
	if attempt != nil || !errors.Is(result.err, errLate) {
		t.Errorf("%+v, %+v", attempt, result)
	}
}

// Every failure of a call is a value of the outcome filter.
func TestEveryFailureIsAnOutcomeOfTheFilter(t *testing.T) {
	for _, kind := range append(slices.Collect(maps.Keys(failureTexts)), webhook.FailureInvalidURL) {
		if err := (webhook.DeliveryFilter{Outcome: string(kind)}).Check(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
