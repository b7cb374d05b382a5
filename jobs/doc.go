// Package jobs does the work that happens outside of a request, and every call
// that leaves the server.
//
// Jobs run in River on PostgreSQL. A change enqueues them in its own
// transaction; a job holds only an id, so what it works on is read when it runs.
// Whatever River does with a job, the count of attempts is kept in our tables.
//
// A job is a wake-up for up to 25 deliveries of one webhook. Each passes its
// listener's gate (listener_gate.go), which has room for a few calls at a time:
// more while they are answered, fewer when they are not. What finds no room is
// set aside (set_aside.go) and comes back as calls end, so that a listener that
// hangs holds a handful of workers, whatever waits for it. What concurrent
// attempts load and record goes into shared statements (domain/batch).
//
// Repeated work is a periodic job (periodic.go) or a loop (loops.go). Statements on
// River's tables are in river_tables.go. docs/internals/jobs.md says what River does
// and what is ours.
//
// Calls to the outside go through one door. Outbound resolves, checks and dials
// (decisions 7.8); Sender makes one signed call over it and says how it ended
// (decisions 7.4, 7.7). Webhooks, remote access lists and invoice hand-over use
// the same two, so there is no second HTTP client to keep safe.
//
// The package imports domain packages, River and the pgx pool. It never meets
// package db: what it needs from the database is declared here and handed in.
package jobs
