package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"ticketgate/domain"
)

const (
	// keepPause is how long after a record that failed the next one is tried.
	keepPause = 300 * time.Millisecond
	// recordTimeout bounds the statements after a call. They run even when the server is being stopped: what a listener
	// has answered is known, and should not be asked again.
	recordTimeout = 5 * time.Second
)

// keeper records what listeners have answered, also over a restart of the database.
type keeper struct {
	// longest is how long after its call began an attempt is recorded. Then another process makes it again anyway.
	longest time.Duration
	// closing ends all patience: the server is being stopped.
	closing <-chan struct{}
	log     *slog.Logger
}

// keep runs record until the database takes it, took being how long the call has lasted already. Everything but a database
// that is away is final.
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

// pause is false when there is no sense in another try.
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

// away tells whether the database may be back soon.
func away(err error) bool {
	return domain.HasCode(err, domain.CodeUnavailable) || errors.Is(err, context.DeadlineExceeded)
}
