package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"ticketgate/domain"
)

const (
	// keepPause is the pause before a failed record is retried.
	keepPause = 300 * time.Millisecond
	// recordTimeout bounds the statements after a call. They run even while the server stops, so that a listener that
	// has responded is not called again.
	recordTimeout = 5 * time.Second
)

// keeper records the results of calls, and retries while the database restarts.
type keeper struct {
	// longest is how long after the start of its call an attempt is still recorded. After that another process
	// repeats it.
	longest time.Duration
	// closing is closed when the server stops, which ends all retries.
	closing <-chan struct{}
	log     *slog.Logger
}

// keep runs record until the database accepts it. took is the time that the call has lasted. Only errors of an
// unavailable database are retried.
func (k keeper) keep(ctx context.Context, took time.Duration, record func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(k.longest-took, recordTimeout))
	defer cancel()
	for first := true; ; first = false {
		err := bounded(ctx, record)
		if err == nil || !away(err) {
			return err
		}
		if first {
			k.log.WarnContext(ctx, "the database is away; an attempt is recorded later", slog.Any("error", err))
		}
		if !k.pause(ctx) {
			return err
		}
	}
}

func bounded(ctx context.Context, record func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	return record(ctx)
}

// pause waits before the next try. It returns false if there should be none.
func (k keeper) pause(ctx context.Context) bool {
	timer := time.NewTimer(keepPause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-k.closing:
	case <-ctx.Done():
	}
	return false
}

// away reports whether the error is of a database that may be back soon.
func away(err error) bool {
	return domain.HasCode(err, domain.CodeUnavailable) || errors.Is(err, context.DeadlineExceeded)
}
