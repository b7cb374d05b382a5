package db

import (
	"context"
	"time"
)

// flusher calls a function periodically, and once more when it is stopped.
type flusher struct {
	every time.Duration
	flush func(ctx context.Context)

	cancel  context.CancelFunc
	stopped chan struct{}
}

// start starts a goroutine that calls flush periodically until stop is called.
func (f *flusher) start(ctx context.Context) {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.cancel, f.stopped = cancel, make(chan struct{})
	go func() {
		defer close(f.stopped)
		for sleep(running, f.every) == nil {
			f.flush(running)
		}
	}()
}

// stop ends the goroutine and calls flush once more.
func (f *flusher) stop(ctx context.Context) {
	if f.cancel == nil {
		return
	}
	f.cancel()
	<-f.stopped
	f.flush(ctx)
}
