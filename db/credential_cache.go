package db

import "sync"

// cacheCapacity is the capacity of a cache. A full cache is cleared. Only existing credentials are cached, so that
// guessed ones can't fill it.
const cacheCapacity = 10_000

// cache is a cache of database reads. Whether its entries may be used depends on the lease.
type cache[K comparable, V any] struct {
	mutex sync.RWMutex
	// generation counts the calls of purge. The result of a read that started in an earlier generation is discarded,
	// because it may be older than the change that called purge.
	generation uint64
	entries    map[K]V
}

// get returns a cached value and the current generation, to be passed to put after a read.
func (c *cache[K, V]) get(key K) (value V, generation uint64, found bool) {
	c.mutex.RLock()
	defer c.mutex.RUnlock()
	value, found = c.entries[key]
	return value, c.generation, found
}

// put stores the value of a read that started in the given generation, unless purge was called since.
func (c *cache[K, V]) put(key K, value V, generation uint64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.generation != generation {
		return
	}
	if c.entries == nil || len(c.entries) >= cacheCapacity {
		c.entries = make(map[K]V)
	}
	c.entries[key] = value
}

// purge clears the cache and discards the results of running reads.
func (c *cache[K, V]) purge() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.generation++
	clear(c.entries)
}

// getCached returns a cached value if the lease is valid and fit accepts the value. Otherwise it reads the value. Unfit
// values are never returned from the cache, so that an inactive credential costs the same statements as an unknown one.
func getCached[K comparable, V any](
	lease *Lease, c *cache[K, V], key K, fit func(*V) bool, read func() (V, error),
) (V, error) {
	trusted := lease.Valid()
	value, generation, found := c.get(key)
	if trusted && found && fit(&value) {
		return value, nil
	}
	value, err := read()
	if err == nil && fit(&value) {
		c.put(key, value, generation)
	}
	return value, err
}
