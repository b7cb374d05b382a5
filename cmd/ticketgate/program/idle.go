package program

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	"ticketgate/jobs"
)

// idleEvery is how long the process must have had no requests before it returns memory.
const idleEvery = 5 * time.Second

// giveBack returns freed memory to the system when there have been no requests for a while. Go itself waits two
// minutes, and a login leaves 19 MiB.
type giveBack struct {
	requests   atomic.Int64
	seen, done int64
}

// once checks for requests since its last call. It is called by one loop only.
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
