package jobs

import (
	"context"
	"slices"
	"sync"
	"time"

	"ticketgate/domain/webhook"
)

// Bounds of concurrent calls to one listener. The call rate is not limited: a listener that responds within a
// millisecond can get thousands of calls per second.
const (
	firstRoom   = 2
	largestRoom = 128
	// fastAnswer is the longest response time that increases the room. Slower responses don't change it.
	fastAnswer = 5 * time.Second
	// slowAnswer is the response time from which a listener counts as slow. All slow listeners together use at most
	// half of a lane's workers.
	slowAnswer = time.Second
	// patienceInLine is how long a job waits for any call to the listener to end before its attempts are set aside.
	patienceInLine = 200 * time.Millisecond
	// longestInLine is the longest wait of a job while calls to the listener keep ending.
	longestInLine = 2 * time.Second
	// forgottenAfter is the idle time after which a listener's state is dropped.
	forgottenAfter = time.Minute
)

// gates keeps one listener from occupying the workers of all others. Each gate admits a few calls: more while the
// listener responds quickly, fewer after a timeout. First attempts and other attempts have separate gates, so that new
// events are sent while thousands of retries are pending.
type gates struct {
	// most is half of a lane's workers. It bounds both the waiting jobs and the calls to slow listeners.
	most int

	mu     sync.Mutex
	byName map[gateName]*gate
	inLine map[webhook.Lane]int
	slow   map[webhook.Lane]int // running calls to slow listeners
}

type gateName struct {
	webhook string
	lane    webhook.Lane
}

// gate is the state of one listener in one lane.
type gate struct {
	lane    webhook.Lane
	room    int
	running int
	fast    int  // fast responses since the room last changed, counted while it was full
	slow    bool // the last call was slow or got no response
	line    []*visit
	moved   time.Time // when a call last ended, or started while no other was running
	behind  bool      // some attempts are set aside and may return
}

func newGates(workers int) *gates {
	return &gates{
		most: max(1, workers/2), byName: map[gateName]*gate{},
		inLine: map[webhook.Lane]int{}, slow: map[webhook.Lane]int{},
	}
}

// visit is a job that waits at a gate. places receives one value for each call that may start, and is closed when no
// more may.
type visit struct {
	places  chan struct{}
	missing int
	since   time.Time
	timer   *time.Timer
}

// enter requests places for a number of calls of a job. Each place must be returned with leave. The visit waits while
// other calls end, and gives up when none does. The attempts without a place must then be set aside.
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

// serve grants a visit the free places.
func (g *gates) serve(in *gate, v *visit) {
	for v.missing > 0 && g.free(in) {
		g.start(in)
		v.missing--
		v.places <- struct{}{}
	}
}

// lookAtLine ends a visit that has waited too long. That is immediately if the listener is slow or no call has ended
// for patienceInLine, and otherwise after longestInLine.
func (g *gates) lookAtLine(in *gate, v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	place := slices.Index(in.line, v)
	if place < 0 {
		return // it has just received its last place
	}
	if !in.slow && time.Since(in.moved) < patienceInLine && time.Since(v.since) < longestInLine {
		v.timer.Reset(patienceInLine)
		return
	}
	in.line = slices.Delete(in.line, place, place+1)
	g.inLine[in.lane]--
	close(v.places)
}

// next serves the waiting visits in order of arrival.
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

// leave ends a call, adjusts the room to its outcome and serves the line. It reports whether attempts that were set
// aside may return.
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

// learn adjusts the room of a gate. The room doubles after as many fast responses as it has places, counting only those
// that arrived while it was full. It halves after a timeout.
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
		if slow { // all running calls count as slow or fast, like the last response
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

// wanted returns the number of places that the waiting visits still need.
func (of *gate) wanted() (calls int) {
	for _, v := range of.line {
		calls += v.missing
	}
	return calls
}

// setBehind records whether webhooks have attempts set aside.
func (g *gates) setBehind(behind bool, webhooks ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range webhooks {
		g.gate(gateName{id, webhook.RetryLane}).behind = behind
	}
}

// returning returns the number of attempts of each webhook that may return. That is the free room, and the same number
// again if the listener is fast, so that it is never idle in between.
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

// forget removes the gates that have been idle for a while.
func (g *gates) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for name, of := range g.byName {
		if of.running == 0 && len(of.line) == 0 && !of.behind && time.Since(of.moved) > forgottenAfter {
			delete(g.byName, name)
		}
	}
}

// pass makes a call in a place that enter has granted. It reports whether attempts that were set aside may return.
func (g *gates) pass(ctx context.Context, name gateName, call func(context.Context) (timedOut bool)) (room bool) {
	began, timedOut := time.Now(), false
	defer func() { room = g.leave(name, time.Since(began), timedOut) }() // even after a panic
	timedOut = call(ctx)
	return false
}
