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
	useEvery  = time.Minute // the minimum time between two recorded uses of a credential
	useFlush  = time.Second
	usesBound = 10_000
)

// uses collects times at which credentials were used, and writes them outside of requests: at most once a minute per
// credential, and many in one statement. Recording never blocks. Times that exceed usesBound are dropped.
type uses struct {
	flusher

	// write stores the times. ids is sorted, to prevent deadlocks between processes.
	write func(ctx context.Context, ids []string, times []time.Time) error

	mutex   sync.Mutex
	noted   map[string]time.Time // time of the last recorded use
	waiting map[string]time.Time // recorded, but not yet written
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

// take returns the times to write and forgets them.
func (u *uses) take() map[string]time.Time {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	taken := u.waiting
	u.waiting = map[string]time.Time{}
	return taken
}

// writeWaiting writes the collected times. If that fails, these times are lost.
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
		slog.WarnContext(ctx, "failed to store times of last use", "credentials", len(ids), "error", err)
	}
}
