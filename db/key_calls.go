package db

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
)

const (
	callsFlush = 3 * time.Second
	// callsBound is the maximum number of sums that are kept in memory. Further calls are not counted.
	callsBound = 20_000
)

// keyCalls counts the calls of API keys and writes the sums every few seconds in two statements. Counting never waits
// for the database.
type keyCalls struct {
	flusher

	store *Store

	mutex sync.Mutex
	calls map[dayStatus]int
	needs map[keyNeed]need
}

// dayStatus is the key of a count of calls. keyNeed is the key of a permission that calls needed.
type (
	dayStatus struct {
		keyID  string
		day    time.Time
		status int
	}
	keyNeed struct {
		keyID      string
		permission domain.Permission
		granted    bool
	}
	need struct {
		calls  int
		lastAt time.Time
	}
)

func newKeyCalls(s *Store) *keyCalls {
	k := &keyCalls{store: s}
	k.flusher = flusher{every: callsFlush, flush: k.write}
	k.take()
	return k
}

// note counts one call.
func (k *keyCalls) note(call *domain.KeyCall, status int, at time.Time) {
	keyID, used, missing := call.Gathered()
	if keyID == "" {
		return
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if len(k.calls)+len(k.needs) >= callsBound {
		return
	}
	k.calls[dayStatus{keyID, midnight(at), status}]++
	for _, permission := range used {
		k.noteNeed(keyNeed{keyID, permission, true}, at)
	}
	for _, permission := range missing {
		k.noteNeed(keyNeed{keyID, permission, false}, at)
	}
}

func (k *keyCalls) noteNeed(of keyNeed, at time.Time) {
	sum := k.needs[of]
	sum.calls++
	if at.After(sum.lastAt) {
		sum.lastAt = at
	}
	k.needs[of] = sum
}

// take returns the sums and resets them.
func (k *keyCalls) take() (map[dayStatus]int, map[keyNeed]need) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	calls, needs := k.calls, k.needs
	k.calls, k.needs = map[dayStatus]int{}, map[keyNeed]need{}
	return calls, needs
}

// write stores the sums. After an error they are dropped, because a retry could count them twice.
func (k *keyCalls) write(ctx context.Context) {
	calls, needs := k.take()
	if len(calls) == 0 {
		return
	}
	err := k.writeCalls(ctx, calls)
	if err == nil {
		err = k.writeNeeds(ctx, needs)
	}
	if err != nil {
		slog.WarnContext(ctx, "failed to count calls of API keys", "sums", len(calls), "error", err)
	}
}

// writeCalls and writeNeeds update the stored sums in ascending order, to prevent deadlocks between processes.
func (k *keyCalls) writeCalls(ctx context.Context, calls map[dayStatus]int) error {
	sorted := slices.SortedFunc(maps.Keys(calls), func(a, b dayStatus) int {
		return cmp.Or(cmp.Compare(a.keyID, b.keyID), a.day.Compare(b.day), cmp.Compare(a.status, b.status))
	})
	ids, days := make([]string, len(sorted)), make([]time.Time, len(sorted))
	statuses, counts := make([]int64, len(sorted)), make([]int64, len(sorted))
	for i, by := range sorted {
		ids[i], days[i], statuses[i], counts[i] = by.keyID, by.day, int64(by.status), int64(calls[by])
	}
	_, err := exec(ctx, k.store.sql, `INSERT INTO api_key_calls AS c (api_key_id, day, status, calls)
		SELECT id, day, status, calls FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bigint[]) AS n (id, day, status, calls)
		ON CONFLICT (api_key_id, day, status) DO UPDATE SET calls = c.calls + excluded.calls`, ids, days, statuses, counts)
	return err
}

func (k *keyCalls) writeNeeds(ctx context.Context, needs map[keyNeed]need) error {
	sorted := slices.SortedFunc(maps.Keys(needs), func(a, b keyNeed) int {
		return cmp.Or(cmp.Compare(a.keyID, b.keyID), cmp.Compare(a.permission, b.permission), boolean(a.granted)-boolean(b.granted))
	})
	ids, permissions, granted := make([]string, len(sorted)), make([]string, len(sorted)), make([]bool, len(sorted))
	counts, times := make([]int64, len(sorted)), make([]time.Time, len(sorted))
	for i, of := range sorted {
		ids[i], permissions[i], granted[i] = of.keyID, string(of.permission), of.granted
		counts[i], times[i] = int64(needs[of].calls), needs[of].lastAt
	}
	_, err := exec(ctx, k.store.sql, `INSERT INTO api_key_needs AS p (api_key_id, permission, granted, calls, last_at)
		SELECT * FROM unnest($1::text[], $2::text[], $3::boolean[], $4::bigint[], $5::timestamptz[])
		ON CONFLICT (api_key_id, permission, granted) DO UPDATE
		SET calls = p.calls + excluded.calls, last_at = greatest(p.last_at, excluded.last_at)`,
		ids, permissions, granted, counts, times)
	return err
}

func boolean(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// countedCallsRow is a row of api_key_calls: a key's number of calls with one status on one day.
type countedCallsRow struct {
	bun.BaseModel `bun:"table:api_key_calls,alias:c"`

	KeyID  string    `bun:"api_key_id,pk"`
	Day    time.Time `bun:"day,pk"`
	Status int       `bun:"status,pk"`
	Calls  int       `bun:"calls"`
}

var countedCalls = &source[countedCallsRow]{}

// PurgeKeyCalls deletes the counts of days before the given time. The permissions that a key has needed are kept: they
// are few, and show which permissions can be removed.
func (s *Store) PurgeKeyCalls(ctx context.Context, before time.Time) error {
	_, err := countedCalls.where("c.day < $", midnight(before)).delete(ctx, s, s.sql)
	return err
}
