package domain

import (
	"context"
	"sync"
	"sync/atomic"
)

// Reading counts what the lists and edges of a call read. It is safe for concurrent use.
type Reading struct {
	// Wait waits for a slot for large reads, which the call holds until its response is written (LIMIT-22). Nil means
	// no limit.
	Wait func(ctx context.Context) error

	bytes atomic.Int64
	held  atomic.Bool
	mutex sync.Mutex
}

// Add counts bytes that were read and returns the new total. A negative count takes back the bytes of rows that are
// read again.
func (r *Reading) Add(bytes int64) (all int64) { return r.bytes.Add(bytes) }

// HasPlace reports whether the call may read large amounts.
func (r *Reading) HasPlace() bool { return r.Wait == nil || r.held.Load() }

// Hold waits until the call may read large amounts. It returns at once if the call already holds a slot.
func (r *Reading) Hold(ctx context.Context) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.HasPlace() {
		return nil
	}
	err := r.Wait(ctx)
	r.held.Store(err == nil)
	return err
}
