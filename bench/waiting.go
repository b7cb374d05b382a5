package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ticketgate/db/embedded"
)

// The numbers of pending deliveries while events are delivered to a responsive listener: a million, or a hundredth of
// that.
var (
	smallWaiting = hangs{50, 200}
	fullWaiting  = hangs{50, 20_000}
)

// waiting measures the slowest delivery of new events after the start of a process that finds many pending deliveries
// of another seller, whose listeners are unresponsive. They were published while no process delivered, so that all are
// in the queue.
func waiting(size hangs) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		p, s, err := r.installation(ctx, "--no-workers")
		if err != nil {
			return subject{}, err
		}
		v := r.newReceiver()
		if err := p.asSeller(s).hook(ctx, v.url); err != nil {
			return subject{}, err
		}
		if err := r.hang(ctx, p, size); err != nil {
			return subject{}, err
		}
		measure := p.publishPaced(s, v)
		return subject{
			measure:  func(ctx context.Context, d time.Duration) (figure, error) { return r.besideWaiting(ctx, d, measure) },
			baseline: atMost(inMilliseconds(time.Second)), against: "the limit",
			remark: fmt.Sprintf("the slowest of 50 per second, next to %d pending deliveries", size.listeners*size.events),
		}, nil
	}
}

// fetchedJobs is a name in the statement with which River fetches jobs.
const fetchedJobs = "locked_jobs"

// besideWaiting starts the process that delivers, and records its statements. It measures from the first arrival,
// because the start of a process is a separate benchmark. It takes six times as long as usual, because the process
// first goes through all pending deliveries.
func (r *rig) besideWaiting(ctx context.Context, d time.Duration, measure measurement) (figure, error) {
	t, err := openTap(ctx, r.database(embedded.ApplicationRole), fetchedJobs)
	if err != nil {
		return figure{}, err
	}
	defer t.close()
	w, err := r.work(ctx, r.environment("TICKETGATE_DATABASE_URL="+t.url(embedded.ApplicationRole, r.name)))
	if err != nil {
		return figure{}, err
	}
	defer w.stop()
	if _, err := measure(ctx, time.Millisecond); err != nil {
		return figure{}, err
	}
	watched, stop := context.WithCancel(ctx)
	memory := w.largest(watched)
	f, err := measure(ctx, 6*d)
	stop()
	f.value = inMilliseconds(f.longest)
	fetches := t.takeTimes()
	if err == nil && len(fetches) == 0 {
		err = errors.New("no fetch was observed")
	}
	f.remark += fmt.Sprintf("; %d fetches, p50 %s and p99 %s; peak memory %.0f MB", len(fetches),
		milli(percentile(fetches, 50)), milli(percentile(fetches, 99)), <-memory)
	return f, err
}

// largest observes the memory of a process until ctx is done, and then sends the peak of its resident memory.
func (p *process) largest(ctx context.Context) <-chan float64 {
	told := make(chan float64, 1)
	go func() {
		ticks := time.NewTicker(100 * time.Millisecond)
		defer ticks.Stop()
		for most := 0.0; ; {
			select {
			case <-ctx.Done():
				told <- most
				return
			case <-ticks.C:
			}
			if now, err := residentMemory(p.cmd.Process.Pid); err == nil {
				most = max(most, now)
			}
		}
	}()
	return told
}
