// Package webhook manages a seller's webhooks and decides how events are delivered to them.
//
// Publishing an event stores its data once and, in the same transaction, one delivery for each webhook that selects its
// type. The id and the body of a delivery are the same in all attempts (WEBHOOK-1). Body assembles the body, and Sign
// signs it.
//
// Pure functions decide what happens to a delivery. NextAction decides whether a job leads to an attempt,
// RetrySchedule.Judge what the outcome of an attempt changes, and Retrigger what a manual retry changes. Package jobs
// makes the calls, and package db stores the rows. A job holds only the ids of deliveries. Each delivery counts its own
// attempts.
//
// There are two reasons for a next attempt, which are kept apart: the retry schedule (NextAttemptAt) and a manual retry
// (RetryRequested). A manual attempt leaves the schedule as it is.
package webhook
