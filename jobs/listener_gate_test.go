package jobs

import (
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain/webhook"
)

// listener is the name of a gate.
var listener = gateName{"w", webhook.FirstLane}

// inTime runs a test with synthetic time, and waits at its end until all lines are empty.
func inTime(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t)
		time.Sleep(2 * patienceInLine)
	})
}

// enter requests one place and waits for it.
func enter(g *gates, name gateName) bool {
	_, got := <-g.enter(name, 1).places
	return got
}

// enterAll requests places all at once and returns how many calls run.
func enterAll(g *gates, name gateName, calls int) int {
	for range calls {
		go enter(g, name)
	}
	synctest.Wait()
	return running(g, name)
}

func running(g *gates, name gateName) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.gate(name).running
}

func room(g *gates, name gateName) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.gate(name).room
}

func TestAListenerThatAnswersFastGetsRoom(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(10000)
		if got := enterAll(g, listener, 1000); got != firstRoom {
			t.Fatalf("%d calls run at first", got)
		}
		// As many responses as there is room for double it: 2, 4, 8 and so on.
		for want := 2 * firstRoom; want <= largestRoom; want *= 2 {
			for range want / 2 {
				g.leave(listener, time.Millisecond, false)
			}
			synctest.Wait()
			if got := running(g, listener); got != want {
				t.Errorf("%d calls run, want %d", got, want)
			}
		}
		for range largestRoom {
			g.leave(listener, time.Millisecond, false)
		}
		if got := room(g, listener); got != largestRoom {
			t.Errorf("room for %d, want at most %d", got, largestRoom)
		}
	})
}

func TestRoomIsMadeOnlyWhereItIsUsed(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(100)
		for range 10 * largestRoom { // one call after the other
			enter(g, listener)
			g.leave(listener, time.Millisecond, false)
		}
		if got := room(g, listener); got != firstRoom {
			t.Errorf("room for %d", got)
		}
	})
}

func TestATimeoutHalvesTheRoomAndASlowAnswerDoesNot(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(100)
		g.gate(listener).room = 8
		for i, step := range []struct {
			took     time.Duration
			timedOut bool
			want     int
		}{
			{fastAnswer, false, 8},
			{10 * time.Second, true, 4},
			{fastAnswer, false, 4},
			{10 * time.Second, true, 2},
			{10 * time.Second, true, 1},
			{10 * time.Second, true, 1},
		} {
			enter(g, listener)
			g.leave(listener, step.took, step.timedOut)
			if got := room(g, listener); got != step.want {
				t.Errorf("step %d: room for %d, want %d", i, got, step.want)
			}
		}
		// One fast response while all the room is in use doubles it again.
		enter(g, listener)
		g.leave(listener, time.Millisecond, false)
		if got := room(g, listener); got != 2 {
			t.Errorf("after it recovered: room for %d", got)
		}
	})
}

func TestALineThatDoesNotMoveIsNotJoined(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(100)
		enterAll(g, listener, firstRoom)
		began := time.Now()
		if enter(g, listener) || time.Since(began) != patienceInLine {
			t.Errorf("the first one waited %s", time.Since(began))
		}
		time.Sleep(time.Millisecond)
		began = time.Now()
		if enter(g, listener) || time.Since(began) != 0 {
			t.Errorf("a visit that came when no call had ended waited %s", time.Since(began))
		}
		g.leave(listener, time.Millisecond, false)
		if !enter(g, listener) {
			t.Error("there was room although a call had just ended")
		}
	})
}

func TestALineIsServedInOrder(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(100)
		enterAll(g, listener, firstRoom)
		served := make(chan int, 3)
		for i := range 3 {
			go func() {
				if enter(g, listener) {
					served <- i
				}
			}()
			synctest.Wait()
		}
		for i := range 3 {
			g.leave(listener, fastAnswer, false)
			synctest.Wait()
			if got := <-served; got != i {
				t.Errorf("served %d, want %d", got, i)
			}
		}
	})
}

// A job of several attempts gets its places as they become free, before the next job in line gets any.
func TestAJobGetsItsPlacesAsTheyAreFree(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(100)
		first, second := g.enter(listener, 4), g.enter(listener, 1)
		if len(first.places) != firstRoom || len(second.places) != 0 {
			t.Errorf("got %d and %d places at once", len(first.places), len(second.places))
		}
		for _, want := range [][2]int{{3, 0}, {4, 0}, {4, 1}} {
			g.leave(listener, fastAnswer, false)
			if len(first.places) != want[0] || len(second.places) != want[1] {
				t.Errorf("got %d and %d, want %v", len(first.places), len(second.places), want)
			}
		}
		for range first.places { // it is closed
		}
	})
}

// A job far back in a moving line keeps waiting, up to longestInLine.
func TestALineThatMovesIsWorthWaiting(t *testing.T) {
	for name, test := range map[string]struct {
		took time.Duration
		want time.Duration
	}{
		"responsive listener": {time.Millisecond, longestInLine},
		"slow listener":       {slowAnswer, patienceInLine},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				g := newGates(100)
				g.enter(listener, 1000) // ahead of it, and never finished
				g.leave(listener, test.took, false)
				began, last := time.Now(), g.enter(listener, 1)
				go func() {
					for time.Since(began) < longestInLine {
						time.Sleep(70 * time.Millisecond) // never at the moment when patienceInLine or longestInLine ends
						g.leave(listener, test.took, false)
					}
				}()
				if _, got := <-last.places; got || time.Since(began) != test.want {
					t.Errorf("waited %s, want %s", time.Since(began), test.want)
				}
				time.Sleep(longestInLine + time.Second)
			})
		})
	}
}

func TestALineHoldsHalfOfTheWorkersAtMost(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(10)
		enterAll(g, listener, firstRoom+5)
		began := time.Now()
		if enter(g, listener) || time.Since(began) != 0 {
			t.Error("a sixth one joined the line of five")
		}
	})
}

// However many listeners hang, half of the workers are left for the others.
func TestSlowListenersTogetherHaveHalfOfTheWorkers(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(10)
		slow := []string{"a", "b", "c", "d", "e", "f", "g"}
		taken := 0
		for _, id := range slow {
			name := gateName{id, webhook.FirstLane}
			enter(g, name)
			g.leave(name, 10*time.Second, true)
			if enterAll(g, name, 1) == 1 {
				taken++
			}
		}
		if taken != 5 {
			t.Errorf("%d calls to slow listeners", taken)
		}
		healthy := gateName{"healthy", webhook.FirstLane}
		if got := enterAll(g, healthy, 2); got != 2 {
			t.Errorf("%d calls to the healthy listener", got)
		}
		g.leave(gateName{"a", webhook.FirstLane}, time.Millisecond, false) // it recovers and is no longer counted
		time.Sleep(2 * patienceInLine)
		if enterAll(g, gateName{"f", webhook.FirstLane}, 1) != 1 {
			t.Error("no room for another slow listener")
		}
	})
}

func TestRetriesDoNotTakeTheRoomOfFirstAttempts(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(100)
		enterAll(g, gateName{"w", webhook.RetryLane}, 50)
		if got := enterAll(g, gateName{"w", webhook.FirstLane}, 1); got != 1 {
			t.Errorf("%d first attempts run", got)
		}
	})
}

func TestWhatWasSetAsideComesBackAsThereIsRoom(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(100)
		back := gateName{"w", webhook.RetryLane}
		g.setBehind(true, "w", "idle")
		enterAll(g, back, 1)
		if got := g.returning(); got["w"] != 2*firstRoom-1 || got["idle"] != 2*firstRoom || len(got) != 2 {
			t.Errorf("next to one call: %v", got)
		}
		enterAll(g, back, 1)
		if got := g.returning(); got["w"] != 0 {
			t.Errorf("without room: %v", got)
		}
		if g.leave(back, 10*time.Second, true) { // one of two places is left, and taken
			t.Error("a timeout made room")
		}
		if !g.leave(back, 10*time.Second, true) {
			t.Error("the last call that ended made no room")
		}
		if got := g.returning(); got["w"] != 1 { // no second one, which would wait
			t.Errorf("to a hanging listener: %v", got)
		}
		g.setBehind(false, "w")
		enterAll(g, back, 1)
		if got := g.returning(); got["w"] != 0 || g.leave(back, time.Millisecond, false) {
			t.Errorf("with nothing set aside: %v", got)
		}
	})
}

func TestAnIdleListenerIsForgotten(t *testing.T) {
	inTime(t, func(t *testing.T) {
		g := newGates(100)
		enter(g, listener)
		g.leave(listener, 10*time.Second, true)
		g.setBehind(true, "behind")
		enterAll(g, gateName{"busy", webhook.FirstLane}, 1)
		time.Sleep(forgottenAfter + time.Second)
		g.forget()
		if got := len(g.byName); got != 2 || room(g, listener) != firstRoom {
			t.Errorf("%d known", got)
		}
	})
}
