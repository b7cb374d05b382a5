package db

import "sync"

// memoryBound is the capacity of a cache. A full cache is cleared. Only existing credentials are cached, so that
// guessed ones can't fill it.
const memoryBound = 10_000

// memory is a cache of database reads. Whether its entries may be used depends on the lease.
type memory[K comparable, V any] struct {
	mutex sync.RWMutex
	// generation counts the calls of forget. The result of a read that started in an earlier generation is discarded,
	// because it may be older than the change that called forget.
	generation uint64
	entries    map[K]V
}

// recall returns a cached value and the current generation, to be passed to remember after a read.
func (m *memory[K, V]) recall(key K) (value V, generation uint64, found bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	value, found = m.entries[key]
	return value, m.generation, found
}

// remember stores the value of a read that started in the given generation, unless forget was called since.
func (m *memory[K, V]) remember(key K, value V, generation uint64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.generation != generation {
		return
	}
	if m.entries == nil || len(m.entries) >= memoryBound {
		m.entries = make(map[K]V)
	}
	m.entries[key] = value
}

// forget clears the cache and discards the results of running reads.
func (m *memory[K, V]) forget() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.generation++
	clear(m.entries)
}

// remembered returns a cached value if the lease is valid and fit accepts the value; otherwise it reads the value.
// Unfit values are never returned from the cache, so that an inactive credential costs the same statements as an
// unknown one.
func remembered[K comparable, V any](
	lease *Lease, m *memory[K, V], key K, fit func(*V) bool, read func() (V, error),
) (V, error) {
	trusted := lease.Valid()
	value, generation, found := m.recall(key)
	if trusted && found && fit(&value) {
		return value, nil
	}
	value, err := read()
	if err == nil && fit(&value) {
		m.remember(key, value, generation)
	}
	return value, err
}
