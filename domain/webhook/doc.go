// Package webhook is which events a seller wants to hear of at which URL, and how each of them gets there.
//
// A webhook is the configuration. Publishing an event stores its data bytes once and, in the same transaction, one
// delivery for each webhook that wants its type. A delivery keeps its id and its body over all attempts
// (decisions 7.3): Body joins the two parts, Sign signs the result.
//
// What happens to a delivery is decided here and by pure functions: Turn says whether a wake-up leads to an
// attempt, RetrySchedule.Judge what an attempt's outcome makes of the delivery, Retrigger what a person's wish
// does. Package jobs makes the calls and package db keeps the rows; the count of attempts is in the delivery, never
// in the job queue, whose jobs are wake-ups and hold only the delivery's id.
//
// A delivery has two reasons for a next attempt, which don't mix: the retry schedule (NextAttemptAt), and a person
// who asked (RetryRequested). An attempt by hand uses up nothing of the schedule.
package webhook
