// Package telemetry shows what a process does to those who watch it from outside: numbers for Prometheus.
//
// No other package knows of it. What is watched offers a place to watch from, such as edge.Observer, pgx's tracer and
// River's middleware, or an interface that can be wrapped; only the program puts the two together. A nil *Metrics
// watches nothing: it wraps nothing and adds no observer, so that what is off costs nothing.
//
// Labels hold words of the program alone: routes, operations, codes, states. A path, an id, a query or anything else that
// a caller chose is never one: it could be a code that opens a gate, and there is no end of them.
package telemetry
