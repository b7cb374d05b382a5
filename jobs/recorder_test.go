package jobs

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain"
)

func newRecorder(closing <-chan struct{}) recorder {
	return recorder{maxAge: 20 * time.Second, closing: closing, log: slog.New(slog.DiscardHandler)}
}

var errAway = domain.Unavailable(errors.New("connection refused"))

func TestAResultIsRecordedAfterARestartOfTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started, tries := time.Now(), 0
		err := newRecorder(nil).record(t.Context(), time.Second, func(ctx context.Context) error {
			tries++
			if end, bounded := ctx.Deadline(); !bounded || time.Until(end) > recordTimeout {
				t.Errorf("a try may last until %v", end)
			}
			if time.Since(started) < 10*time.Second {
				return errAway
			}
			return nil
		})
		if err != nil || tries != 35 {
			t.Errorf("%v after %d tries", err, tries)
		}
	})
}

// A try that hangs is retried too.
func TestAHangingRecordIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		err := newRecorder(nil).record(t.Context(), 0, func(ctx context.Context) error {
			if tries++; tries == 3 {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		})
		if err != nil || tries != 3 {
			t.Errorf("%v after %d tries", err, tries)
		}
	})
}

// Retries end when another process makes the attempt anyway, and never before one statement's timeout.
func TestRetriesOfARecordEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for took, want := range map[time.Duration]time.Duration{
			0: 20 * time.Second, 10 * time.Second: 10 * time.Second, time.Minute: recordTimeout,
		} {
			started := time.Now()
			err := newRecorder(nil).record(t.Context(), took, func(context.Context) error { return errAway })
			if lasted := time.Since(started); !errors.Is(err, errAway) || lasted != want {
				t.Errorf("after a call of %v: %v after %v, want %v", took, err, lasted, want)
			}
		}
	})
}

func TestAStoppingServerDoesNotRetryARecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closing, tries := make(chan struct{}), 0
		close(closing)
		started := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // the result is recorded nevertheless
		err := newRecorder(closing).record(ctx, 0, func(ctx context.Context) error {
			tries++
			return errors.Join(ctx.Err(), errAway)
		})
		if !errors.Is(err, errAway) || errors.Is(err, context.Canceled) || tries != 1 || time.Since(started) != 0 {
			t.Errorf("%v after %d tries and %v", err, tries, time.Since(started))
		}
	})
}

func TestRefusalIsFinal(t *testing.T) {
	refusal, tries := errors.New("no such partition"), 0
	err := newRecorder(nil).record(t.Context(), 0, func(context.Context) error {
		tries++
		return refusal
	})
	if !errors.Is(err, refusal) || tries != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
}
