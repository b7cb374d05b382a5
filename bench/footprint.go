package main

import (
	"context"
	"os"
	"time"
)

// What one program may take at most.
const (
	memoryLimit = 60 // MB
	binaryLimit = 60 // MB
	startLimit  = 1  // s
)

// idleAfter is when a server counts as idle: what its start needed has been given back.
const idleAfter = 10 * time.Second

// idleMemory looks at a server with workers that nobody has asked anything.
func idleMemory(ctx context.Context, r *rig) (subject, error) {
	p, err := r.serve(ctx, r.environment())
	measure := func(ctx context.Context, _ time.Duration) (figure, error) {
		select {
		case <-time.After(idleAfter):
		case <-ctx.Done():
			return figure{}, ctx.Err()
		}
		resident, err := residentMemory(p.cmd.Process.Pid)
		return figure{value: resident}, err
	}
	return subject{measure: measure, baseline: atMost(memoryLimit), against: "the limit"}, err
}

// binarySize is what `make build` makes, with its debug information.
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

// startTime is from the start of the process to the line that says that it serves. The database is there and migrated.
func startTime(ctx context.Context, r *rig) (subject, error) {
	measure := func(ctx context.Context, _ time.Duration) (figure, error) {
		p, err := r.serve(ctx, r.environment())
		if err != nil {
			return figure{}, err
		}
		p.stop()
		return figure{value: p.ready.Seconds()}, nil
	}
	_, err := measure(ctx, 0) // migrates
	return subject{measure: measure, baseline: atMost(startLimit), against: "the limit"}, err
}
