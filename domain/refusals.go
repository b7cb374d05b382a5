package domain

import (
	"maps"
	"slices"
)

// RefusalsError are the errors of some of the objects that an edge leads from or to, by the ids that were asked for. What was found of
// the others comes with them (GRAPH-2).
type RefusalsError map[string]error

// Error returns the error of the smallest id: a caller that does not look at each object by itself has that one.
func (r RefusalsError) Error() string {
	for _, id := range slices.Sorted(maps.Keys(r)) {
		return r[id].Error()
	}
	return "nothing was refused"
}

// Err returns the refusals, or nil if there are none.
func (r RefusalsError) Err() error {
	if len(r) == 0 {
		return nil
	}
	return r
}
