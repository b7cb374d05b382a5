// Package batch lets calls that come at the same time share what each would do alone: one statement, one commit.
//
// Nobody waits for company. The first call is worked at once; what comes while it runs is the next batch. So a quiet
// process loses no time, and a busy one makes large batches by itself.
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

// Group works calls in batches. All methods may be called concurrently.
type Group[In, Out any] struct {
	// Work answers every call of a batch, in order.
	Work func(ctx context.Context, calls []In) ([]Out, error)
	// Most is what a batch weighs at most; a call that is heavier is a batch of its own.
	Most int
	// Weight is what a call weighs; nil is one each.
	Weight func(In) int
	// Timeout bounds a batch, whatever becomes of its callers.
	Timeout time.Duration
	// Undone tells whether nothing remains of a batch that failed with this error; nil is always so.
	Undone func(error) bool
	// Parallel is how many batches are worked at a time; zero is one.
	Parallel int
	// Whose returns for whom a call is: within what, such as an organization, and who, such as its seller. When more calls wait than
	// a batch takes, each of the former gets its turn, and within it each of the latter. Nil is the order in which they came.
	Whose func(In) Whose

	mu      sync.Mutex
	waiting []*call[In, Out]
	running int
}

// Whose is for whom a call is.
type Whose struct{ Within, Who string }

type call[In, Out any] struct {
	in   In
	out  Out
	err  error
	done chan struct{}
}

// Do has one call worked. A caller that gives up learns nothing of the outcome: the call may be worked all the same.
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

// run works batches until nobody waits.
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

// fitting is how many of the calls that wait are the next batch.
func (g *Group[In, Out]) fitting() int {
	if g.Weight == nil {
		return min(len(g.waiting), g.Most)
	}
	weight := 0
	for i, c := range g.waiting {
		if weight += g.Weight(c.in); weight > g.Most {
			return max(i, 1)
		}
	}
	return len(g.waiting)
}

// takeTurns orders the calls that wait: first those that are each their seller's first, one of each organization, and so on.
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

// serve works a batch. When that fails without a trace each call is worked by itself, so that one that can't be never
// spoils the others.
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

// together works calls as one batch. A panic is an error: it would end the process, and nobody up the stack could help.
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
		err = errors.New("a batch was not answered in full")
	}
	for i := range outs {
		if err == nil {
			calls[i].out = outs[i]
		}
	}
	return err
}
