package domain

import (
	"context"
	"sync"
	"sync/atomic"
)

// Reading is what the lists and edges of a call have read. All methods may be called concurrently.
type Reading struct {
	// Wait waits for a place among the calls that read much, which the call keeps until its response has been written (LIMIT-22).
	// Nil bounds nothing.
	Wait func(ctx context.Context) error

	bytes atomic.Int64
	held  atomic.Bool
	mutex sync.Mutex
}

// Add counts bytes that were read, and returns how many they are by now. Those of what is read once more are taken back.
func (r *Reading) Add(bytes int64) (all int64) { return r.bytes.Add(bytes) }

// HasPlace reports whether the call may read much.
func (r *Reading) HasPlace() bool { return r.Wait == nil || r.held.Load() }

// Hold waits until the call may read much. It returns at once if it may already.
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
