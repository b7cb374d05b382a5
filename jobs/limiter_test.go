package jobs

import (
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain/webhook"
)

// listener is the key of a limiter.
var listener = limiterKey{"w", webhook.FirstQueue}

// inTime runs a test with synthetic time, and waits at its end until no job waits.
func inTime(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t)
		time.Sleep(2 * stallTimeout)
	})
}

// acquire requests one slot and waits for it.
func acquire(s *limiterSet, key limiterKey) bool {
	_, got := <-s.acquire(key, 1).slots
	return got
}

// acquireAll requests slots all at once and returns how many calls run.
func acquireAll(s *limiterSet, key limiterKey, calls int) int {
	for range calls {
		go acquire(s, key)
	}
	synctest.Wait()
	return running(s, key)
}

func running(s *limiterSet, key limiterKey) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(key).running
}

func limitOf(s *limiterSet, key limiterKey) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(key).limit
}

func TestFastResponsesRaiseTheLimit(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(10000)
		if got := acquireAll(s, listener, 1000); got != initialLimit {
			t.Fatalf("%d calls run at first", got)
		}
		// As many responses as the limit double it: 2, 4, 8 and so on.
		for want := 2 * initialLimit; want <= maxLimit; want *= 2 {
			for range want / 2 {
				s.release(listener, time.Millisecond, false)
			}
			synctest.Wait()
			if got := running(s, listener); got != want {
				t.Errorf("%d calls run, want %d", got, want)
			}
		}
		for range maxLimit {
			s.release(listener, time.Millisecond, false)
		}
		if got := limitOf(s, listener); got != maxLimit {
			t.Errorf("room for %d, want at most %d", got, maxLimit)
		}
	})
}

func TestAnUnusedLimitIsNotRaised(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(100)
		for range 10 * maxLimit { // one call after the other
			acquire(s, listener)
			s.release(listener, time.Millisecond, false)
		}
		if got := limitOf(s, listener); got != initialLimit {
			t.Errorf("room for %d", got)
		}
	})
}

func TestATimeoutHalvesTheLimitAndASlowResponseDoesNot(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(100)
		s.get(listener).limit = 8
		for i, step := range []struct {
			took     time.Duration
			timedOut bool
			want     int
		}{
			{fastResponse, false, 8},
			{10 * time.Second, true, 4},
			{fastResponse, false, 4},
			{10 * time.Second, true, 2},
			{10 * time.Second, true, 1},
			{10 * time.Second, true, 1},
		} {
			acquire(s, listener)
			s.release(listener, step.took, step.timedOut)
			if got := limitOf(s, listener); got != step.want {
				t.Errorf("step %d: room for %d, want %d", i, got, step.want)
			}
		}
		// One fast response while all slots are in use doubles it again.
		acquire(s, listener)
		s.release(listener, time.Millisecond, false)
		if got := limitOf(s, listener); got != 2 {
			t.Errorf("after it recovered: room for %d", got)
		}
	})
}

func TestAStalledQueueIsNotJoined(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(100)
		acquireAll(s, listener, initialLimit)
		started := time.Now()
		if acquire(s, listener) || time.Since(started) != stallTimeout {
			t.Errorf("the first one waited %s", time.Since(started))
		}
		time.Sleep(time.Millisecond)
		started = time.Now()
		if acquire(s, listener) || time.Since(started) != 0 {
			t.Errorf("a visit that came when no call had ended waited %s", time.Since(started))
		}
		s.release(listener, time.Millisecond, false)
		if !acquire(s, listener) {
			t.Error("there was room although a call had just ended")
		}
	})
}

func TestWaitingJobsAreServedInOrder(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(100)
		acquireAll(s, listener, initialLimit)
		served := make(chan int, 3)
		for i := range 3 {
			go func() {
				if acquire(s, listener) {
					served <- i
				}
			}()
			synctest.Wait()
		}
		for i := range 3 {
			s.release(listener, fastResponse, false)
			synctest.Wait()
			if got := <-served; got != i {
				t.Errorf("served %d, want %d", got, i)
			}
		}
	})
}

// A job of several attempts gets its slots as they become free, before the next waiter gets any.
func TestAJobGetsItsSlotsAsTheyBecomeFree(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(100)
		first, second := s.acquire(listener, 4), s.acquire(listener, 1)
		if len(first.slots) != initialLimit || len(second.slots) != 0 {
			t.Errorf("got %d and %d places at once", len(first.slots), len(second.slots))
		}
		for _, want := range [][2]int{{3, 0}, {4, 0}, {4, 1}} {
			s.release(listener, fastResponse, false)
			if len(first.slots) != want[0] || len(second.slots) != want[1] {
				t.Errorf("got %d and %d, want %v", len(first.slots), len(second.slots), want)
			}
		}
		for range first.slots { // it is closed
		}
	})
}

// A job far back in a moving queue keeps waiting, up to maxWait.
func TestJobsWaitInAMovingQueue(t *testing.T) {
	for name, test := range map[string]struct {
		took time.Duration
		want time.Duration
	}{
		"responsive listener": {time.Millisecond, maxWait},
		"slow listener":       {slowResponse, stallTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				s := newLimiterSet(100)
				s.acquire(listener, 1000) // ahead of it, and never finished
				s.release(listener, test.took, false)
				started, last := time.Now(), s.acquire(listener, 1)
				go func() {
					for time.Since(started) < maxWait {
						time.Sleep(70 * time.Millisecond) // never at the moment when stallTimeout or maxWait ends
						s.release(listener, test.took, false)
					}
				}()
				if _, got := <-last.slots; got || time.Since(started) != test.want {
					t.Errorf("waited %s, want %s", time.Since(started), test.want)
				}
				time.Sleep(maxWait + time.Second)
			})
		})
	}
}

func TestAQueueHoldsAtMostHalfOfTheWorkers(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(10)
		acquireAll(s, listener, initialLimit+5)
		started := time.Now()
		if acquire(s, listener) || time.Since(started) != 0 {
			t.Error("a sixth one joined the line of five")
		}
	})
}

// However many listeners hang, half of the workers are left for the others.
func TestAllSlowListenersTogetherGetHalfOfTheWorkers(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(10)
		slow := []string{"a", "b", "c", "d", "e", "f", "g"}
		taken := 0
		for _, id := range slow {
			key := limiterKey{id, webhook.FirstQueue}
			acquire(s, key)
			s.release(key, 10*time.Second, true)
			if acquireAll(s, key, 1) == 1 {
				taken++
			}
		}
		if taken != 5 {
			t.Errorf("%d calls to slow listeners", taken)
		}
		healthy := limiterKey{"healthy", webhook.FirstQueue}
		if got := acquireAll(s, healthy, 2); got != 2 {
			t.Errorf("%d calls to the healthy listener", got)
		}
		s.release(limiterKey{"a", webhook.FirstQueue}, time.Millisecond, false) // it recovers and is no longer counted
		time.Sleep(2 * stallTimeout)
		if acquireAll(s, limiterKey{"f", webhook.FirstQueue}, 1) != 1 {
			t.Error("no room for another slow listener")
		}
	})
}

func TestRetriesTakeNoSlotsOfFirstAttempts(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(100)
		acquireAll(s, limiterKey{"w", webhook.RetryQueue}, 50)
		if got := acquireAll(s, limiterKey{"w", webhook.FirstQueue}, 1); got != 1 {
			t.Errorf("%d first attempts run", got)
		}
	})
}

func TestDeliveriesSetAsideReturnAsSlotsBecomeFree(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(100)
		back := limiterKey{"w", webhook.RetryQueue}
		s.setOverflow(true, "w", "idle")
		acquireAll(s, back, 1)
		if got := s.refillSizes(); got["w"] != 2*initialLimit-1 || got["idle"] != 2*initialLimit || len(got) != 2 {
			t.Errorf("next to one call: %v", got)
		}
		acquireAll(s, back, 1)
		if got := s.refillSizes(); got["w"] != 0 {
			t.Errorf("without room: %v", got)
		}
		if s.release(back, 10*time.Second, true) { // one of two slots is left, and in use
			t.Error("a timeout made room")
		}
		if !s.release(back, 10*time.Second, true) {
			t.Error("the last call that ended made no room")
		}
		if got := s.refillSizes(); got["w"] != 1 { // no second one, which would wait
			t.Errorf("to a hanging listener: %v", got)
		}
		s.setOverflow(false, "w")
		acquireAll(s, back, 1)
		if got := s.refillSizes(); got["w"] != 0 || s.release(back, time.Millisecond, false) {
			t.Errorf("with nothing set aside: %v", got)
		}
	})
}

func TestIdleListenersAreRemoved(t *testing.T) {
	inTime(t, func(t *testing.T) {
		s := newLimiterSet(100)
		acquire(s, listener)
		s.release(listener, 10*time.Second, true)
		s.setOverflow(true, "behind")
		acquireAll(s, limiterKey{"busy", webhook.FirstQueue}, 1)
		time.Sleep(limiterIdle + time.Second)
		s.removeIdle()
		if got := len(s.byKey); got != 2 || limitOf(s, listener) != initialLimit {
			t.Errorf("%d known", got)
		}
	})
}
