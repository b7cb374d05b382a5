package db

import "sync"

// memoryBound is how many entries a memory holds; when it is full it starts over. Only credentials that exist are
// remembered, so that nobody can fill it by guessing.
const memoryBound = 10_000

// memory remembers what the database said. It does not know whether that is still true: the lease does.
type memory[K comparable, V any] struct {
	mutex sync.RWMutex
	// generation counts the times all was forgotten. What was read in an earlier generation is not stored: a
	// slow read could otherwise bring back what a change has made untrue.
	generation uint64
	entries    map[K]V
}

// recall returns what is remembered, and the generation in which a read may begin that remember stores.
func (m *memory[K, V]) recall(key K) (value V, generation uint64, found bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	value, found = m.entries[key]
	return value, m.generation, found
}

// remember stores what a read has found that began in a generation, unless all was forgotten since.
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

// forget drops everything, and what is being read now.
func (m *memory[K, V]) forget() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.generation++
	clear(m.entries)
}

// remembered answers from memory while the lease is valid and the value is fit, and from the database otherwise.
// What is not fit is never answered from memory: a dead credential costs the same statements as an unknown one.
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
