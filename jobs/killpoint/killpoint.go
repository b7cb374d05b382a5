// Package killpoint marks the steps of a delivery at which a test lets the process die.
//
// The program is built without them: At is then an empty function, which the compiler takes out. With the build tag
// `killpoints` the variable KILL_AT names a step and which passage of it is the last, such as `sent:3`; the process
// ends there as by kill -9, with nothing flushed and nothing told.
package killpoint

// Point is a step of a delivery.
type Point string

// The steps, in the order in which a delivery comes by them.
const (
	BeforeCommit   Point = "before-commit"   // event, deliveries and jobs are written and not committed
	Committed      Point = "committed"       // the publisher is not answered yet
	JobFetched     Point = "job-fetched"     // River has marked the job as running
	AttemptOpen    Point = "attempt-open"    // the delivery is loaded and its listener has room
	NameResolved   Point = "name-resolved"   // the listener's addresses are known
	Connected      Point = "connected"       // to the listener
	HalfSent       Point = "half-sent"       // half of the request's bytes
	Sent           Point = "sent"            // all of them
	StatusRead     Point = "status-read"     // the listener has answered
	BodyRead       Point = "body-read"       // all of the answer is here, nothing is recorded
	RetryScheduled Point = "retry-scheduled" // in the transaction that records a failed attempt
	AttemptClosed  Point = "attempt-closed"  // the attempt is recorded, its job still counts as running
	JobCompleted   Point = "job-completed"   // River has recorded the end of the job
	Rescuing       Point = "rescuing"        // jobs of a dead process have been made available again
)

// Points lists every step.
func Points() []Point {
	return []Point{
		BeforeCommit, Committed, JobFetched, AttemptOpen, NameResolved, Connected, HalfSent, Sent, StatusRead, BodyRead,
		RetryScheduled, AttemptClosed, JobCompleted, Rescuing,
	}
}
