package batch

import (
	"context"
	"sync"
)

// Groups holds a Group for each key. Calls of different keys never wait for each other. A group without callers is
// removed. Groups is safe for concurrent use.
type Groups[K comparable, In, Out any] struct {
	// New returns a new group.
	New func() *Group[In, Out]

	mu     sync.Mutex
	groups map[K]*shared[In, Out]
}

// shared is a group with the number of its callers.
type shared[In, Out any] struct {
	*Group[In, Out]
	callers int
}

// Do runs a call in the group of a key. See Group.Do. A group whose callers have all given up may still run their calls
// while a new group starts on later ones.
func (g *Groups[K, In, Out]) Do(ctx context.Context, key K, in In) (Out, error) {
	group := g.enter(key)
	defer g.leave(key, group)
	return group.Do(ctx, in)
}

func (g *Groups[K, In, Out]) enter(key K) *shared[In, Out] {
	g.mu.Lock()
	defer g.mu.Unlock()
	group, there := g.groups[key]
	if !there {
		if g.groups == nil {
			g.groups = map[K]*shared[In, Out]{}
		}
		group = &shared[In, Out]{Group: g.New()}
		g.groups[key] = group
	}
	group.callers++
	return group
}

func (g *Groups[K, In, Out]) leave(key K, group *shared[In, Out]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if group.callers--; group.callers == 0 {
		delete(g.groups, key)
	}
}
