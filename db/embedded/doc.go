// Package embedded runs a private PostgreSQL, either for an installation without a database of its own or for a test
// run.
//
// Three generations of processes are involved:
//
//	ticketgate ──▶ supervisor ──▶ postgres
//
// The supervisor is this program, started again. It does everything that must not be left half done: it creates the
// cluster, and starts and stops the server. Its parent controls it through a pipe. When the pipe closes, whether by
// Stop or because the parent was killed, the supervisor stops the server. If the supervisor itself is killed, the
// kernel signals postgres (on Linux).
//
// The data directory contains:
//
//	postgres             the cluster, or a link to it
//	postgres.unfinished  a cluster being created; renamed when it is complete
//	postgres.lock        locked by the ticketgate process that owns the cluster
//	postgres.alive       locked while any process of the server is alive
//	postgres.log         the server's log, bounded (and postgres.log.1)
//
// The server listens on a Unix socket in a folder that only its own user may enter. There is no TCP port and no
// password.
package embedded
