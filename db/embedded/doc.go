// Package embedded runs a private PostgreSQL for an installation that has no
// database of its own, and one for a test run.
//
// Three generations of processes are involved:
//
//	ticketgate ──▶ supervisor ──▶ postgres
//
// The supervisor is this same program, started again. It does everything that
// must not be left half done: it makes the cluster, starts the server and stops
// it. Its only order is a pipe from its parent; when the pipe closes, whether
// by Stop or because the parent was killed, the server is stopped. Should the
// supervisor itself be killed, the kernel tells postgres (on Linux).
//
// What stands in the data directory:
//
//	postgres             the cluster, or a link to where it had to go
//	postgres.unfinished  a cluster being made; renamed when it is complete
//	postgres.lock        locked by the ticketgate process that owns the cluster
//	postgres.alive       locked while any process of the server lives
//	postgres.log         what the server says, bounded (and postgres.log.1)
//
// The server listens on a Unix socket in a folder that only its own user may
// enter; there is no TCP port and no password.
package embedded
