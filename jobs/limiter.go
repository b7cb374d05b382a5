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
	initialLimit = 2
	maxLimit     = 128
	// fastResponse is the longest response time that raises the limit. Slower responses don't change it.
	fastResponse = 5 * time.Second
	// slowResponse is the response time from which a listener counts as slow. All slow listeners together use at most
	// half of a queue's workers.
	slowResponse = time.Second
	// stallTimeout is how long a job waits for any call to the listener to end before its attempts are set aside.
	stallTimeout = 200 * time.Millisecond
	// maxWait is the longest wait of a job while calls to the listener keep ending.
	maxWait = 2 * time.Second
	// limiterIdle is the idle time after which a listener's state is dropped.
	limiterIdle = time.Minute
)

// limiterSet keeps one listener from occupying the workers of all others. Each limiter admits a few calls: more while the
// listener responds quickly, fewer after a timeout. First attempts and other attempts have separate limiters, so that new
// events are sent while thousands of retries are pending.
type limiterSet struct {
	// half is half of a queue's workers. It bounds both the waiting jobs and the calls to slow listeners.
	half int

	mu      sync.Mutex
	byKey   map[limiterKey]*limiter
	waiting map[webhook.Queue]int
	slow    map[webhook.Queue]int // running calls to slow listeners
}

type limiterKey struct {
	webhook string
	queue   webhook.Queue
}

// limiter is the state of one listener in one queue.
type limiter struct {
	queue       webhook.Queue
	limit       int
	running     int
	fast        int  // fast responses since the limit last changed, counted while all of it was used
	slow        bool // the last call was slow or got no response
	waiters     []*waiter
	progressAt  time.Time // when a call last ended, or started while no other was running
	hasOverflow bool      // some attempts are set aside and may return
}

func newLimiterSet(workers int) *limiterSet {
	return &limiterSet{
		half: max(1, workers/2), byKey: map[limiterKey]*limiter{},
		waiting: map[webhook.Queue]int{}, slow: map[webhook.Queue]int{},
	}
}

// waiter is a job that waits for slots. slots receives one value for each call that may start, and is closed when no
// more may.
type waiter struct {
	slots   chan struct{}
	missing int
	since   time.Time
	timer   *time.Timer
}

// acquire requests slots for a number of calls of a job. Each slot must be returned with release. The waiter waits while
// other calls end, and gives up when none does. The attempts without a slot must then be set aside.
func (s *limiterSet) acquire(key limiterKey, calls int) *waiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, w := s.get(key), &waiter{slots: make(chan struct{}, calls), missing: calls, since: time.Now()}
	if len(l.waiters) == 0 {
		s.grant(l, w)
	}
	stuck := time.Since(l.progressAt) > stallTimeout
	if w.missing == 0 || stuck || s.waiting[key.queue] >= s.half {
		close(w.slots)
		return w
	}
	l.waiters = append(l.waiters, w)
	s.waiting[key.queue]++
	w.timer = time.AfterFunc(stallTimeout, func() { s.checkStalled(l, w) })
	return w
}

// grant gives a waiter the free slots.
func (s *limiterSet) grant(l *limiter, w *waiter) {
	for w.missing > 0 && s.hasCapacity(l) {
		s.start(l)
		w.missing--
		w.slots <- struct{}{}
	}
}

// checkStalled removes a waiter that has waited too long. That is immediately if the listener is slow or no call has ended
// for stallTimeout, and otherwise after maxWait.
func (s *limiterSet) checkStalled(l *limiter, w *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	index := slices.Index(l.waiters, w)
	if index < 0 {
		return // it has just received its last slot
	}
	if !l.slow && time.Since(l.progressAt) < stallTimeout && time.Since(w.since) < maxWait {
		w.timer.Reset(stallTimeout)
		return
	}
	l.waiters = slices.Delete(l.waiters, index, index+1)
	s.waiting[l.queue]--
	close(w.slots)
}

// serveWaiters serves the waiters in order of arrival.
func (s *limiterSet) serveWaiters(l *limiter) {
	for len(l.waiters) > 0 && s.hasCapacity(l) {
		first := l.waiters[0]
		if s.grant(l, first); first.missing > 0 {
			return
		}
		l.waiters = l.waiters[1:]
		s.waiting[l.queue]--
		first.timer.Stop()
		close(first.slots)
	}
}

// release ends a call, adjusts the limit to its outcome and serves the waiters. It reports whether attempts that were set
// aside may return.
func (s *limiterSet) release(key limiterKey, took time.Duration, timedOut bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.get(key)
	full := l.running >= l.limit
	l.running--
	l.progressAt = time.Now()
	if l.slow {
		s.slow[l.queue]--
	}
	s.adjust(l, took, timedOut, full)
	s.serveWaiters(l)
	return l.hasOverflow && l.running < l.limit
}

// adjust adjusts a limit. The limit doubles after as many fast responses as it admits calls, counting only those that
// arrived while all slots were in use. It halves after a timeout.
func (s *limiterSet) adjust(l *limiter, took time.Duration, timedOut, full bool) {
	switch {
	case timedOut:
		l.limit, l.fast = max(1, l.limit/2), 0
	case full && took < fastResponse:
		l.fast++
	}
	if l.fast >= l.limit {
		l.limit, l.fast = min(2*l.limit, maxLimit), 0
	}
	if slow := timedOut || took >= slowResponse; slow != l.slow {
		l.slow = slow
		if slow { // all running calls count as slow or fast, like the last response
			s.slow[l.queue] += l.running
		} else {
			s.slow[l.queue] -= l.running
		}
	}
}

func (s *limiterSet) get(key limiterKey) *limiter {
	l := s.byKey[key]
	if l == nil {
		l = &limiter{queue: key.queue, limit: initialLimit, progressAt: time.Now()}
		s.byKey[key] = l
	}
	return l
}

func (s *limiterSet) hasCapacity(l *limiter) bool {
	return l.running < l.limit && (!l.slow || s.slow[l.queue] < s.half)
}

func (s *limiterSet) start(l *limiter) {
	if l.running == 0 {
		l.progressAt = time.Now()
	}
	l.running++
	if l.slow {
		s.slow[l.queue]++
	}
}

// pendingCalls returns the number of slots that the waiters still need.
func (l *limiter) pendingCalls() (calls int) {
	for _, w := range l.waiters {
		calls += w.missing
	}
	return calls
}

// setOverflow records whether webhooks have attempts set aside.
func (s *limiterSet) setOverflow(has bool, webhooks ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range webhooks {
		s.get(limiterKey{id, webhook.RetryQueue}).hasOverflow = has
	}
}

// refillSizes returns the number of attempts of each webhook that may return. That is the free capacity, and the same number
// again if the listener is fast, so that it is never idle in between.
func (s *limiterSet) refillSizes() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	sizes := map[string]int{}
	for key, l := range s.byKey {
		if key.queue != webhook.RetryQueue || !l.hasOverflow || !s.hasCapacity(l) {
			continue
		}
		limit := l.limit
		if !l.slow {
			limit *= 2
		}
		if missing := limit - l.running - l.pendingCalls(); missing > 0 {
			sizes[key.webhook] = missing
		}
	}
	return sizes
}

// removeIdle removes the limiters that have been idle for a while.
func (s *limiterSet) removeIdle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, l := range s.byKey {
		if l.running == 0 && len(l.waiters) == 0 && !l.hasOverflow && time.Since(l.progressAt) > limiterIdle {
			delete(s.byKey, key)
		}
	}
}

// run makes a call in a slot that acquire has granted. It reports whether attempts that were set aside may return.
func (s *limiterSet) run(ctx context.Context, key limiterKey, call func(context.Context) (timedOut bool)) (refill bool) {
	started, timedOut := time.Now(), false
	defer func() { refill = s.release(key, time.Since(started), timedOut) }() // even after a panic
	timedOut = call(ctx)
	return false
}
