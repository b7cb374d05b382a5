package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// This file contains the loops: work that every process repeats, or that can't wait for a periodic job (JOB-2).

// Intervals of the loops in a process that delivers, and the time limit of one run.
const (
	promoteEvery  = 500 * time.Millisecond
	rescueEvery   = 2 * time.Second
	restartEvery  = 2 * time.Second
	overflowEvery = time.Second
	loopTimeout   = 10 * time.Second
	// refillPause is the minimum time between two statements that bring attempts back. It makes each return many.
	refillPause = 20 * time.Millisecond
)

// Loop is work that a process repeats while it runs.
type Loop struct {
	Name  string
	Every time.Duration
	Work  func(context.Context) error
}

// loops returns the loops of a process that delivers. River does the work of the first two only in its leader, and
// takes up to 20 seconds to replace a killed leader.
func (u *upkeep) loops() []Loop {
	return []Loop{
		{Name: "promote due jobs", Every: promoteEvery, Work: u.promote},
		{Name: "rescue stuck jobs", Every: rescueEvery, Work: u.rescue},
		{Name: "look for a restart of the database", Every: restartEvery, Work: u.afterRestart},
		{Name: "find what was set aside", Every: overflowEvery, Work: u.overflow.find},
	}
}

// Run repeats the work until ctx is done. Errors are logged. The next run is at its regular time.
func (l Loop) Run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(l.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.once(ctx, log)
		}
	}
}

func (l Loop) once(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, loopTimeout)
	defer cancel()
	if err := l.Work(ctx); err != nil && !errors.Is(err, context.Canceled) {
		log.WarnContext(ctx, "periodic work failed", slog.String("loop", l.Name), slog.Any("error", err))
	}
}

// run brings attempts back when there is room, until ctx is done.
func (o *overflow) run(ctx context.Context) {
	pause := time.NewTicker(refillPause)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.ready:
		}
		if err := o.refill(ctx); err != nil && ctx.Err() == nil {
			o.log.WarnContext(ctx, "failed to return attempts from the overflow", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}
