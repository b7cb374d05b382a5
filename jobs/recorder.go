package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"ticketgate/domain"
)

const (
	// recordPause is the pause before record is retried.
	recordPause = 300 * time.Millisecond
	// recordTimeout bounds the statements after a call. They run even while the server stops, so that a listener that
	// has responded is not called again.
	recordTimeout = 5 * time.Second
)

// recorder records the results of calls. It retries while the database is unavailable.
type recorder struct {
	// maxAge is the time after the start of a call until which its attempt can be recorded. After that, another
	// process repeats the attempt.
	maxAge time.Duration
	// closing is closed when the server stops. It ends all retries.
	closing <-chan struct{}
	log     *slog.Logger
}

// record calls record until the database accepts the result. took is the duration of the call. Only errors that mean an
// unavailable database are retried.
func (r recorder) record(ctx context.Context, took time.Duration, record func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(r.maxAge-took, recordTimeout))
	defer cancel()
	for first := true; ; first = false {
		err := recordOnce(ctx, record)
		if err == nil || !isUnavailable(err) {
			return err
		}
		if first {
			r.log.WarnContext(ctx, "database unavailable; the attempt will be recorded later", slog.Any("error", err))
		}
		if !r.pause(ctx) {
			return err
		}
	}
}

func recordOnce(ctx context.Context, record func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	return record(ctx)
}

// pause waits before the next try. It returns false if there must be none.
func (r recorder) pause(ctx context.Context) bool {
	timer := time.NewTimer(recordPause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.closing:
	case <-ctx.Done():
	}
	return false
}

// isUnavailable reports whether err means that the database is temporarily unavailable.
func isUnavailable(err error) bool {
	return domain.HasCode(err, domain.CodeUnavailable) || errors.Is(err, context.DeadlineExceeded)
}
