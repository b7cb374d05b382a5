package db

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"
)

func TestForgetDiscardsRunningReads(t *testing.T) {
	t.Parallel()
	var m cache[string, int]
	_, before, _ := m.get("k")
	m.purge() // a change during a read that started before it
	m.put("k", 1, before)
	if _, _, found := m.get("k"); found {
		t.Fatal("a read from before the change was stored after it")
	}
	_, after, _ := m.get("k")
	m.put("k", 2, after)
	if value, _, found := m.get("k"); !found || value != 2 {
		t.Errorf("recalled %d, %v", value, found)
	}
	m.purge()
	if _, _, found := m.get("k"); found {
		t.Error("an entry is still cached")
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	var m cache[int, int]
	for i := range 2*cacheCapacity + 1 {
		_, generation, _ := m.get(i)
		m.put(i, i, generation)
		if len(m.entries) > cacheCapacity {
			t.Fatalf("holds %d entries", len(m.entries))
		}
	}
	if value, _, found := m.get(2 * cacheCapacity); !found || value != 2*cacheCapacity {
		t.Error("the newest entry is missing")
	}
}

func TestRememberedReadsWhenNecessary(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	lease := &Lease{clock: func() time.Time { return now }}
	var m cache[string, int]
	stored, reads := 1, 0
	fit := true
	ask := func() (int, error) {
		return getCached(lease, &m, "k", func(*int) bool { return fit }, func() (int, error) {
			reads++
			if stored == 0 {
				return 0, errors.New("missing")
			}
			return stored, nil
		})
	}
	for _, step := range []struct {
		name  string
		do    func()
		value int
		reads int
	}{
		{"without a lease", func() {}, 1, 1},
		{"without a lease again", func() { stored = 2 }, 2, 2},
		{"with a lease", func() { sent := now; lease.granted.Store(&sent) }, 2, 2},
		{"just before its end", func() { stored = 3; now = now.Add(LeaseLength - 1) }, 2, 2},
		{"at its end", func() { now = now.Add(1) }, 3, 3},
		{"with a new one", func() { sent := now; lease.granted.Store(&sent) }, 3, 3},
		{"when it is no longer fit", func() { fit = false }, 3, 4},
		{"and again", func() {}, 3, 5},
		{"when it is fit again", func() { fit = true; stored = 4 }, 3, 5},
		{"after it was forgotten", m.purge, 4, 6},
		{"and is missing", func() { m.purge(); stored = 0 }, 0, 7},
		{"nor the next time", func() {}, 0, 8},
	} {
		step.do()
		value, err := ask()
		if value != step.value || reads != step.reads || (err != nil) != (stored == 0) {
			t.Errorf("%s: got %d, %v after %d reads; want %d after %d", step.name, value, err, reads, step.value, step.reads)
		}
	}
}

func TestUsesAreRecordedOncePerMinute(t *testing.T) {
	t.Parallel()
	var written []string
	u := newUses(func(_ context.Context, ids []string, times []time.Time) error {
		for i, id := range ids {
			written = append(written, id+" "+times[i].Format("05"))
		}
		return nil
	})
	start := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for second := range 121 {
		u.note("b", start.Add(time.Duration(second)*time.Second))
		u.note("a", start)
		if second%10 == 0 {
			u.flush(t.Context())
		}
	}
	if got := fmt.Sprint(written); got != "[a 00 b 00 b 00 b 00]" {
		t.Errorf("written: %s", got)
	}
}

// Noting a use never blocks and never exceeds its memory bound, whatever the database does.
func TestNotingAUseNeverBlocks(t *testing.T) {
	t.Parallel()
	hanging, release := make(chan struct{}), make(chan struct{})
	u := newUses(func(context.Context, []string, []time.Time) error {
		close(hanging)
		<-release
		return nil
	})
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	u.note("first", now)
	flushed := make(chan struct{})
	go func() { defer close(flushed); u.flush(context.Background()) }()
	<-hanging
	for i := range 3 * usesBound { // it returns although the write hangs
		u.note(strconv.Itoa(i), now)
	}
	if len(u.waiting) > usesBound || len(u.noted) > usesBound {
		t.Errorf("%d are waiting, %d are noted", len(u.waiting), len(u.noted))
	}
	close(release)
	<-flushed
	u.take()
	u.note("later", now.Add(useEvery)) // entries older than a minute make room
	if len(u.waiting) != 1 {
		t.Error("a full list accepts nothing anymore")
	}
}
