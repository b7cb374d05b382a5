package main

import (
	"context"
	"os"
	"time"
)

// Limits of one process.
const (
	memoryLimit = 60 // MB
	binaryLimit = 60 // MB
	startLimit  = 1  // s
	idleLimit   = 5  // ms of processor time in a second
)

// idleAfter is the time after which a server is idle and has returned the memory that its start used.
const idleAfter = 10 * time.Second

// idleMemory measures the memory of a server with workers that has had no requests.
func idleMemory(ctx context.Context, r *rig) (subject, error) {
	p, err := r.serve(ctx, r.environment())
	measure := func(ctx context.Context, _ time.Duration) (figure, error) {
		if err := pause(ctx, idleAfter); err != nil {
			return figure{}, err
		}
		resident, err := residentMemory(p.cmd.Process.Pid)
		return figure{value: resident}, err
	}
	return subject{measure: measure, baseline: atMost(memoryLimit), against: "the limit"}, err
}

// idleTime measures the processor time of a server with workers that has no requests.
func idleTime(ctx context.Context, r *rig) (subject, error) {
	p, err := r.serve(ctx, r.environment())
	measure := func(ctx context.Context, _ time.Duration) (figure, error) {
		if err := pause(ctx, idleAfter); err != nil {
			return figure{}, err
		}
		before, start := p.used(), time.Now()
		if err := pause(ctx, idleAfter); err != nil {
			return figure{}, err
		}
		return figure{value: 1000 * (p.used() - before).Seconds() / time.Since(start).Seconds()}, nil
	}
	return subject{measure: measure, baseline: atMost(idleLimit), against: "the limit, half a percent of a processor"}, err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// binarySize measures the size of the binary of `make build`, including debug information.
func binarySize(_ context.Context, r *rig) (subject, error) {
	measure := func(context.Context, time.Duration) (figure, error) {
		info, err := os.Stat(r.binary)
		if err != nil {
			return figure{}, err
		}
		return figure{value: float64(info.Size()) / 1e6}, nil
	}
	return subject{measure: measure, baseline: atMost(binaryLimit), against: "the limit"}, nil
}

// startTime measures the time from the start of a process to the line that it prints when it serves. The database
// exists and is migrated.
func startTime(ctx context.Context, r *rig) (subject, error) {
	measure := func(ctx context.Context, _ time.Duration) (figure, error) {
		p, err := r.serve(ctx, r.environment())
		if err != nil {
			return figure{}, err
		}
		p.stop()
		return figure{value: p.ready.Seconds()}, nil
	}
	_, err := measure(ctx, 0) // the first start migrates the database
	return subject{measure: measure, baseline: atMost(startLimit), against: "the limit"}, err
}
