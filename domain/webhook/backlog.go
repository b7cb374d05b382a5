package webhook

import "time"

// BacklogCounted is up to where a backlog is counted: to look at more would take a database that is behind still longer.
const BacklogCounted = 100_000

// Backlog is what waits to be delivered, of all sellers.
type Backlog struct {
	// Due is how many deliveries wait for an attempt that is due, up to BacklogCounted.
	Due int
	// Oldest is for how long the one that waits longest has been due.
	Oldest time.Duration
	// SetAside is how many wait until their listener has room, up to BacklogCounted.
	SetAside int
}
