package jobs

import (
	"context"
	"slices"
	"sync"
	"time"

	"ticketgate/domain/webhook"
)

// How many calls run to one listener at the same time. Nothing limits how many a second it gets: one that answers in a
// millisecond takes thousands.
const (
	firstRoom   = 2
	largestRoom = 128
	// fastAnswer is what makes room; a slower answer is fine, and changes nothing.
	fastAnswer = 5 * time.Second
	// slowAnswer is from when on a listener is slow: all slow ones together never have more than half of a lane's workers.
	slowAnswer = time.Second
	// patienceInLine is how long a job stands in line for a call to end before its attempts are set aside.
	patienceInLine = 200 * time.Millisecond
	// longestInLine is how long it stands there while calls do end, one after the other.
	longestInLine = 2 * time.Second
	// forgottenAfter is how long a listener must be idle before it is one like any other again.
	forgottenAfter = time.Minute
)

// gates keep one listener from taking the workers of all others: each has room for a few calls, more while it answers
// fast, fewer when it does not answer at all. First attempts and others have a gate each, so that a new event goes out
// while thousands of retries wait.
type gates struct {
	// most is how many jobs of a lane may stand in line, and how many of its calls may run to slow listeners: half of its
	// workers.
	most int

	mu     sync.Mutex
	byName map[gateName]*gate
	inLine map[webhook.Lane]int
	slow   map[webhook.Lane]int // calls that run to slow listeners
}

type gateName struct {
	webhook string
	lane    webhook.Lane
}

// gate is a listener as one lane sees it.
type gate struct {
	lane    webhook.Lane
	room    int
	running int
	fast    int  // answers since the room was last changed that came fast although it was full
	slow    bool // the last answer took long, or did not come
	line    []*visit
	moved   time.Time // when a call last ended, or began in an idle gate
	behind  bool      // attempts were set aside here and may come back
}

func newGates(workers int) *gates {
	return &gates{
		most: max(1, workers/2), byName: map[gateName]*gate{},
		inLine: map[webhook.Lane]int{}, slow: map[webhook.Lane]int{},
	}
}

// visit is a job at a gate: places yields once for each of its calls that may begin, and is closed when no other will.
type visit struct {
	places  chan struct{}
	missing int
	since   time.Time
	timer   *time.Timer
}

// enter asks for places for so many calls of a job; leave gives each of them back. The visit stands in line while calls end,
// and is over when none does: attempts without a place are then to be set aside.
func (g *gates) enter(name gateName, calls int) *visit {
	g.mu.Lock()
	defer g.mu.Unlock()
	to, v := g.gate(name), &visit{places: make(chan struct{}, calls), missing: calls, since: time.Now()}
	if len(to.line) == 0 {
		g.serve(to, v)
	}
	stuck := time.Since(to.moved) > patienceInLine
	if v.missing == 0 || stuck || g.inLine[name.lane] >= g.most {
		close(v.places)
		return v
	}
	to.line = append(to.line, v)
	g.inLine[name.lane]++
	v.timer = time.AfterFunc(patienceInLine, func() { g.lookAtLine(to, v) })
	return v
}

// serve gives a visit the places that are free.
func (g *gates) serve(in *gate, v *visit) {
	for v.missing > 0 && g.free(in) {
		g.start(in)
		v.missing--
		v.places <- struct{}{}
	}
}

// lookAtLine ends a visit whose time is up: at once when the listener is slow or no call has ended for a while, and otherwise
// after as long as a job can spare.
func (g *gates) lookAtLine(in *gate, v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	place := slices.Index(in.line, v)
	if place < 0 {
		return // it got its last place at this moment
	}
	if !in.slow && time.Since(in.moved) < patienceInLine && time.Since(v.since) < longestInLine {
		v.timer.Reset(patienceInLine)
		return
	}
	in.line = slices.Delete(in.line, place, place+1)
	g.inLine[in.lane]--
	close(v.places)
}

// next lets in who is first in line.
func (g *gates) next(in *gate) {
	for len(in.line) > 0 && g.free(in) {
		first := in.line[0]
		if g.serve(in, first); first.missing > 0 {
			return
		}
		in.line = in.line[1:]
		g.inLine[in.lane]--
		first.timer.Stop()
		close(first.places)
	}
}

// leave ends a call, learns from how it went, and lets the next ones in. It tells whether attempts that were set aside
// could come back now.
func (g *gates) leave(name gateName, took time.Duration, timedOut bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	of := g.gate(name)
	full := of.running >= of.room
	of.running--
	of.moved = time.Now()
	if of.slow {
		g.slow[of.lane]--
	}
	g.learn(of, took, timedOut, full)
	g.next(of)
	return of.behind && of.running < of.room
}

// learn changes the room: twice as much when as many calls as there is room for were answered fast while all of it was
// used, half when one was not answered in time.
func (g *gates) learn(of *gate, took time.Duration, timedOut, full bool) {
	switch {
	case timedOut:
		of.room, of.fast = max(1, of.room/2), 0
	case full && took < fastAnswer:
		of.fast++
	}
	if of.fast >= of.room {
		of.room, of.fast = min(2*of.room, largestRoom), 0
	}
	if slow := timedOut || took >= slowAnswer; slow != of.slow {
		of.slow = slow
		if slow { // the calls that still run are counted as what the listener is now
			g.slow[of.lane] += of.running
		} else {
			g.slow[of.lane] -= of.running
		}
	}
}

func (g *gates) gate(name gateName) *gate {
	known := g.byName[name]
	if known == nil {
		known = &gate{lane: name.lane, room: firstRoom, moved: time.Now()}
		g.byName[name] = known
	}
	return known
}

func (g *gates) free(of *gate) bool {
	return of.running < of.room && (!of.slow || g.slow[of.lane] < g.most)
}

func (g *gates) start(in *gate) {
	if in.running == 0 {
		in.moved = time.Now()
	}
	in.running++
	if in.slow {
		g.slow[in.lane]++
	}
}

// wanted are the calls for which places are missing in the line.
func (of *gate) wanted() (calls int) {
	for _, v := range of.line {
		calls += v.missing
	}
	return calls
}

// setBehind notes that a webhook has attempts that were set aside, or no longer has.
func (g *gates) setBehind(behind bool, webhooks ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range webhooks {
		g.gate(gateName{id, webhook.RetryLane}).behind = behind
	}
}

// returning tells how many attempts of which webhooks may come back: what there is room for, and with a listener that
// answers as many again, so that it need not wait for them.
func (g *gates) returning() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	wanted := map[string]int{}
	for name, of := range g.byName {
		if name.lane != webhook.RetryLane || !of.behind || !g.free(of) {
			continue
		}
		room := of.room
		if !of.slow {
			room *= 2
		}
		if missing := room - of.running - of.wanted(); missing > 0 {
			wanted[name.webhook] = missing
		}
	}
	return wanted
}

// forget removes the gates that nobody has used for a while.
func (g *gates) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for name, of := range g.byName {
		if of.running == 0 && len(of.line) == 0 && !of.behind && time.Since(of.moved) > forgottenAfter {
			delete(g.byName, name)
		}
	}
}

// pass makes a call that has a place in the gate, and tells whether attempts that were set aside could come back now.
func (g *gates) pass(ctx context.Context, name gateName, call func(context.Context) (timedOut bool)) (room bool) {
	began, timedOut := time.Now(), false
	defer func() { room = g.leave(name, time.Since(began), timedOut) }() // also after a panic
	timedOut = call(ctx)
	return false
}
