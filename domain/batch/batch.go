// Package batch combines concurrent calls into batches that share a statement and a commit.
//
// Batching adds no delay: the first call starts at once, and calls that arrive while it runs form the next batch. So
// batches grow with the load of the process.
package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Group runs calls in batches. It is safe for concurrent use.
type Group[In, Out any] struct {
	// Work returns the results of a batch's calls, in order.
	Work func(ctx context.Context, calls []In) ([]Out, error)
	// Max is the maximum weight of a batch. A heavier call runs in a batch of its own.
	Max int
	// Weight returns the weight of a call. Nil means that each call weighs 1.
	Weight func(In) int
	// Timeout bounds a batch, independently of its callers.
	Timeout time.Duration
	// Undone reports whether a batch that failed with this error left no effect. Nil means that none ever does.
	Undone func(error) bool
	// Parallel is how many batches run at a time. Zero means one.
	Parallel int
	// Whose returns the owner of a call, such as its organization and seller. When more calls wait than fit a batch,
	// organizations take turns, and within each its sellers. Nil keeps the order of arrival.
	Whose func(In) Whose

	mu      sync.Mutex
	waiting []*call[In, Out]
	running int
}

// Whose identifies the owner of a call.
type Whose struct{ Within, Who string }

type call[In, Out any] struct {
	in   In
	out  Out
	err  error
	done chan struct{}
}

// Do runs a call and returns its result. If ctx ends first, Do returns its error, but the call may still run.
func (g *Group[In, Out]) Do(ctx context.Context, in In) (Out, error) {
	mine := &call[In, Out]{in: in, done: make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, mine)
	idle := g.running < max(1, g.Parallel)
	if idle {
		g.running++
	}
	g.mu.Unlock()
	if idle {
		go g.run(context.WithoutCancel(ctx))
	}
	select {
	case <-mine.done:
		return mine.out, mine.err
	case <-ctx.Done():
		var none Out
		return none, ctx.Err()
	}
}

// run runs batches until no call waits.
func (g *Group[In, Out]) run(ctx context.Context) {
	for {
		g.mu.Lock()
		fitting := g.fitting()
		if g.Whose != nil && fitting < len(g.waiting) {
			g.takeTurns()
			fitting = g.fitting()
		}
		calls := g.waiting[:fitting]
		g.waiting = g.waiting[fitting:]
		if fitting == 0 {
			g.running--
		}
		g.mu.Unlock()
		if len(calls) == 0 {
			return
		}
		g.serve(ctx, calls)
	}
}

// fitting returns how many of the waiting calls form the next batch.
func (g *Group[In, Out]) fitting() int {
	if g.Weight == nil {
		return min(len(g.waiting), g.Max)
	}
	weight := 0
	for i, c := range g.waiting {
		if weight += g.Weight(c.in); weight > g.Max {
			return max(i, 1)
		}
	}
	return len(g.waiting)
}

// takeTurns orders the waiting calls: first the first call of each seller, one per organization at a time, then the
// second calls, and so on.
func (g *Group[In, Out]) takeTurns() {
	type turn struct {
		call  *call[In, Out]
		whose Whose
		round int
	}
	turns := make([]turn, len(g.waiting))
	for i, waiting := range g.waiting {
		turns[i] = turn{call: waiting, whose: g.Whose(waiting.in)}
	}
	inRounds := func(of func(Whose) Whose) {
		rounds := map[Whose]int{}
		for i := range turns {
			whose := of(turns[i].whose)
			turns[i].round = rounds[whose]
			rounds[whose]++
		}
		slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Compare(a.round, b.round) })
	}
	inRounds(func(whose Whose) Whose { return whose })
	inRounds(func(whose Whose) Whose { return Whose{Within: whose.Within} })
	for i := range turns {
		g.waiting[i] = turns[i].call
	}
}

// serve runs a batch. If it fails without an effect, serve runs each call alone, so that a failing call does not fail
// the others.
func (g *Group[In, Out]) serve(ctx context.Context, calls []*call[In, Out]) {
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	err := g.together(ctx, calls)
	oneByOne := err != nil && len(calls) > 1 && (g.Undone == nil || g.Undone(err))
	for i, c := range calls {
		if oneByOne {
			c.err = g.together(ctx, calls[i:i+1])
		} else {
			c.err = err
		}
		close(c.done)
	}
}

// together runs calls as one batch. It turns a panic into an error, because a panic in this goroutine would end the
// process.
func (g *Group[In, Out]) together(ctx context.Context, calls []*call[In, Out]) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	ins := make([]In, len(calls))
	for i, c := range calls {
		ins[i] = c.in
	}
	outs, err := g.Work(ctx, ins)
	if err == nil && len(outs) != len(calls) {
		err = errors.New("the batch returned the wrong number of results")
	}
	for i := range outs {
		if err == nil {
			calls[i].out = outs[i]
		}
	}
	return err
}
