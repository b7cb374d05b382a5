package webhook

import "time"

// BacklogCounted is the highest number that a backlog is counted to. Counting on would slow down a database that lags
// already.
const BacklogCounted = 100_000

// Backlog describes the pending deliveries of all sellers.
type Backlog struct {
	// Due is the number of deliveries with a due attempt, counted up to BacklogCounted.
	Due int
	// Oldest is how long the oldest of them has been due.
	Oldest time.Duration
	// SetAside is the number of deliveries that wait until their listener has capacity, counted up to BacklogCounted.
	SetAside int
}
