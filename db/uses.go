package db

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// The times and bounds of noting uses (hardening K14).
const (
	useEvery  = time.Minute // how often the use of one credential is noted
	useFlush  = time.Second
	usesBound = 10_000
)

// uses gathers when credentials were last used and writes that off the request path: at most once a minute for
// each, many in one statement. Noting never waits; what is too much is dropped.
type uses struct {
	flusher

	// write stores the times of the ids, which are in ascending order so that two processes never wait in a circle.
	write func(ctx context.Context, ids []string, times []time.Time) error

	mutex   sync.Mutex
	noted   map[string]time.Time // when each was last noted
	waiting map[string]time.Time // noted, not yet written
	tidied  time.Time            // when noted last lost what is over a minute old
}

func newUses(write func(context.Context, []string, []time.Time) error) *uses {
	u := &uses{write: write, noted: map[string]time.Time{}, waiting: map[string]time.Time{}}
	u.flusher = flusher{every: useFlush, flush: u.writeWaiting}
	return u
}

// note remembers a use.
func (u *uses) note(id string, at time.Time) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if last, ok := u.noted[id]; ok && at.Sub(last) < useEvery {
		return
	}
	if len(u.noted) >= usesBound && at.Sub(u.tidied) >= useEvery { // once a minute: it walks through all
		u.tidied = at
		maps.DeleteFunc(u.noted, func(_ string, last time.Time) bool { return at.Sub(last) >= useEvery })
	}
	if len(u.noted) < usesBound {
		u.noted[id], u.waiting[id] = at, at
	}
}

// take returns what is to be written.
func (u *uses) take() map[string]time.Time {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	taken := u.waiting
	u.waiting = map[string]time.Time{}
	return taken
}

// writeWaiting writes what has gathered. A failure costs the times of this batch and nothing else.
func (u *uses) writeWaiting(ctx context.Context) {
	taken := u.take()
	if len(taken) == 0 {
		return
	}
	ids := slices.Sorted(maps.Keys(taken))
	times := make([]time.Time, len(ids))
	for i, id := range ids {
		times[i] = taken[id]
	}
	if err := u.write(ctx, ids, times); err != nil {
		slog.WarnContext(ctx, "times of last use not written", "credentials", len(ids), "error", err)
	}
}
