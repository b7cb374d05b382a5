package program

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	"ticketgate/jobs"
)

// idleEvery is how long no request must have come before memory is given back.
const idleEvery = 5 * time.Second

// giveBack returns the memory of garbage to the system once requests have stopped coming: the collector by itself
// waits for two minutes, and what is left of a login is 19 MiB.
type giveBack struct {
	requests   atomic.Int64
	seen, done int64
}

// once is called by one loop.
func (g *giveBack) once(context.Context) error {
	count := g.requests.Load()
	if count == g.seen && count != g.done {
		debug.FreeOSMemory()
		g.done = count
	}
	g.seen = count
	return nil
}

// repeat runs a loop until the program is closed.
func (p *Program) repeat(ctx context.Context, loop jobs.Loop) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		loop.Run(ctx, p.Log)
	}()
	p.onClose(func() error {
		cancel()
		<-ended
		return nil
	})
}
