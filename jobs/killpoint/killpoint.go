// Package killpoint marks the steps of a delivery at which a test kills the process.
//
// In normal builds At is empty, and the compiler removes it. With the build tag `killpoints`, the variable KILL_AT
// names a step and an occurrence of it, such as `sent:3`. There the process ends as by kill -9, with nothing flushed or
// logged.
package killpoint

// Point is a step of a delivery.
type Point string

// The steps, in the order in which a delivery passes them.
const (
	BeforeCommit   Point = "before-commit"   // the event, deliveries and jobs are written, but not committed
	Committed      Point = "committed"       // the publisher has not received its response yet
	JobFetched     Point = "job-fetched"     // River has marked the job as running
	AttemptOpen    Point = "attempt-open"    // the delivery is loaded and its listener has room
	NameResolved   Point = "name-resolved"   // the listener's addresses are known
	Connected      Point = "connected"       // connected to the listener
	HalfSent       Point = "half-sent"       // half of the request has been sent
	Sent           Point = "sent"            // the whole request has been sent
	StatusRead     Point = "status-read"     // the listener has responded
	BodyRead       Point = "body-read"       // the whole response was read; nothing is recorded
	RetryScheduled Point = "retry-scheduled" // inside the transaction that records a failed attempt
	AttemptClosed  Point = "attempt-closed"  // the attempt is recorded; its job still counts as running
	JobCompleted   Point = "job-completed"   // River has recorded the end of the job
	Rescuing       Point = "rescuing"        // jobs of a killed process have been made available again
)

// Points returns all steps.
func Points() []Point {
	return []Point{
		BeforeCommit, Committed, JobFetched, AttemptOpen, NameResolved, Connected, HalfSent, Sent, StatusRead, BodyRead,
		RetryScheduled, AttemptClosed, JobCompleted, Rescuing,
	}
}
