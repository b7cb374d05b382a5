package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"ticketgate/domain"
)

const (
	// keepPause is the pause before record is retried.
	keepPause = 300 * time.Millisecond
	// recordTimeout bounds the statements after a call. They run even while the server stops, so that a listener that
	// has responded is not called again.
	recordTimeout = 5 * time.Second
)

// keeper records the results of calls. It retries while the database is unavailable.
type keeper struct {
	// longest is the time after the start of a call until which its attempt can be recorded. After that, another
	// process repeats the attempt.
	longest time.Duration
	// closing is closed when the server stops. It ends all retries.
	closing <-chan struct{}
	log     *slog.Logger
}

// keep calls record until the database accepts the result. took is the duration of the call. Only errors that mean an
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

// pause waits before the next try. It returns false if there must be none.
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

// away reports whether err means that the database is temporarily unavailable.
func away(err error) bool {
	return domain.HasCode(err, domain.CodeUnavailable) || errors.Is(err, context.DeadlineExceeded)
}
