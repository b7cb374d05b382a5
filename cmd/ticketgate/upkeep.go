package main

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"ticketgate/db"
	"ticketgate/domain/sale"
)

const (
	upkeepEvery = time.Hour
	upkeepBound = 5 * time.Minute
)

// upkeep makes the coming days' partitions and removes what need not be kept any longer. Every process does it: the
// second one finds it done, and partitions exist a week ahead, so that a failure can wait for the next hour.
type upkeep struct {
	migrator  *db.Migrator
	store     *db.Store
	retention time.Duration
	log       *slog.Logger
	now       func() time.Time

	cancel context.CancelFunc
	done   chan struct{}
}

func (u *upkeep) start(ctx context.Context) {
	ctx, u.cancel = context.WithCancel(context.WithoutCancel(ctx))
	u.done = make(chan struct{})
	go func() {
		defer close(u.done)
		ticker := time.NewTicker(upkeepEvery)
		defer ticker.Stop()
		for {
			u.once(ctx)
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}()
}

func (u *upkeep) once(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, upkeepBound)
	defer cancel()
	before := u.now().Add(-u.retention)
	dropped, dropping := u.migrator.DropPartitions(ctx, before)
	if dropped > 0 {
		u.log.InfoContext(ctx, "partitions dropped whose time of keeping is over", "partitions", dropped)
	}
	err := errors.Join(u.migrator.EnsurePartitions(ctx), dropping, u.store.ForgetAnswers(ctx), u.store.SweepEntryImports(ctx),
		u.store.ForgetUnknownCodes(ctx, before), u.store.ForgetChanges(ctx, before),
		u.store.ForgetKeyCalls(ctx, before), u.store.ForgetRefusals(ctx, u.now().AddDate(0, 0, -sale.RefusalDays)))
	if dropping == nil { // else the log has scans of which the claims must stay
		err = errors.Join(err, u.store.ForgetClaims(ctx, before))
	}
	if err != nil && ctx.Err() == nil {
		u.log.WarnContext(ctx, "upkeep of the database failed; it is tried again in an hour", "error", err)
	}
}

// stop waits for what is being done and gives the owner's connections back.
func (u *upkeep) stop() error {
	u.cancel()
	<-u.done
	return u.migrator.Close()
}

// idleEvery is how long no request must have come before memory is given back.
const idleEvery = 5 * time.Second

// giveBack returns the memory of garbage to the system once requests have stopped coming: the collector by itself
// waits for two minutes, and what is left of a login is 19 MiB.
type giveBack struct {
	requests atomic.Int64
	stopped  chan struct{}
}

func (g *giveBack) start() {
	g.stopped = make(chan struct{})
	go func() {
		ticker := time.NewTicker(idleEvery)
		defer ticker.Stop()
		var seen, done int64
		for {
			select {
			case <-g.stopped:
				return
			case <-ticker.C:
			}
			count := g.requests.Load()
			if count == seen && count != done {
				debug.FreeOSMemory()
				done = count
			}
			seen = count
		}
	}()
}

func (g *giveBack) stop() error {
	close(g.stopped)
	return nil
}
