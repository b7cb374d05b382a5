// Package jobs runs the work outside of requests and makes every call that leaves the server.
//
// Jobs run in River on PostgreSQL. A change enqueues its jobs in its own transaction. A job contains only ids. The data
// is read when it runs. Ticketgate counts attempts in its own tables, independent of River.
//
// A job delivers up to 25 deliveries of one webhook. Each waits for its listener's limiter (limiter.go), which
// admits a few calls at a time: more while the listener responds quickly, fewer when calls time out. Deliveries without
// room are set aside (overflow.go) and return as calls end. An unresponsive listener therefore occupies a handful of
// workers, however many deliveries are pending. Concurrent attempts share the statements that load and record them
// (domain/batch).
//
// Repeated work is a periodic job (periodic.go) or a loop (loops.go). Statements on River's tables are in
// river_tables.go. docs/internals/jobs.md explains what River does and what Ticketgate adds.
//
// All outbound calls use one HTTP client. Outbound resolves, checks and dials. Sender makes one signed call with it and
// reports the outcome (WEBHOOK-40). Webhooks, remote access lists and invoice hand-over use both.
//
// The package imports domain packages, River and the pgx pool, but never package db. It declares the stores that it
// needs, and the program passes them in.
package jobs
