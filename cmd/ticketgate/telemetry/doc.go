// Package telemetry exports what a process does: metrics for Prometheus and traces for OpenTelemetry.
//
// Only the program imports it. Instrumented packages offer hooks, such as edge.Observer, pgx's tracer and River's
// middleware, or an interface that can be wrapped. A nil *Metrics or *Traces is disabled: it wraps nothing and adds no
// observer, so it costs nothing.
//
// Labels contain only words of the program: routes, operations, codes, states. They never contain a path, an id, a
// query or anything else that a caller chooses. That could be a code that opens a gate, and its number of values is
// unbounded (OPS-3).
package telemetry
