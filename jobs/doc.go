// Package jobs does the work that happens outside of a request, and every call
// that leaves the server.
//
// Jobs run in River on PostgreSQL. A change enqueues them in its own
// transaction; a job holds only an id, so what it works on is read when it runs.
// Whatever River does with a job, the count of attempts is kept in our tables.
//
// Calls to the outside go through one door. Outbound resolves, checks and dials
// (decisions 7.8); Sender makes one signed call over it and says how it ended
// (decisions 7.4, 7.7). Webhooks, remote access lists and invoice hand-over use
// the same two, so there is no second HTTP client to keep safe.
//
// The package imports domain packages, River and the pgx pool. It never meets
// package db: what it needs from the database is declared here and handed in.
package jobs
