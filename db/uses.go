package db

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// Intervals and bounds for recording uses.
const (
	useEvery  = time.Minute // interval of recorded uses per credential
	useFlush  = time.Second
	usesBound = 10_000
)

// uses collects when credentials were last used and writes the times outside of requests: at most once a minute for
// each credential, many in one statement. Recording never blocks; times beyond the bound are dropped.
type uses struct {
	flusher

	// write stores the times of the ids, which are sorted to prevent deadlocks between processes.
	write func(ctx context.Context, ids []string, times []time.Time) error

	mutex   sync.Mutex
	noted   map[string]time.Time // when each was last recorded
	waiting map[string]time.Time // recorded, not yet written
	tidied  time.Time            // when entries older than a minute were last removed from noted
}

func newUses(write func(context.Context, []string, []time.Time) error) *uses {
	u := &uses{write: write, noted: map[string]time.Time{}, waiting: map[string]time.Time{}}
	u.flusher = flusher{every: useFlush, flush: u.writeWaiting}
	return u
}

// note records a use.
func (u *uses) note(id string, at time.Time) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if last, ok := u.noted[id]; ok && at.Sub(last) < useEvery {
		return
	}
	if len(u.noted) >= usesBound && at.Sub(u.tidied) >= useEvery { // at most once a minute, since it reads all entries
		u.tidied = at
		maps.DeleteFunc(u.noted, func(_ string, last time.Time) bool { return at.Sub(last) >= useEvery })
	}
	if len(u.noted) < usesBound {
		u.noted[id], u.waiting[id] = at, at
	}
}

// take returns the times to write and removes them.
func (u *uses) take() map[string]time.Time {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	taken := u.waiting
	u.waiting = map[string]time.Time{}
	return taken
}

// writeWaiting writes the collected times. A failure loses only the times of this batch.
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
