package domain

import (
	"maps"
	"slices"
)

// RefusalsError holds the errors of individual objects of an edge, by requested id. The results for the other objects
// are returned along with it (GRAPH-2).
type RefusalsError map[string]error

// Error returns the message of the smallest id, for callers that don't handle objects individually.
func (r RefusalsError) Error() string {
	for _, id := range slices.Sorted(maps.Keys(r)) {
		return r[id].Error()
	}
	return "no errors"
}

// Err returns the errors, or nil if there are none.
func (r RefusalsError) Err() error {
	if len(r) == 0 {
		return nil
	}
	return r
}
