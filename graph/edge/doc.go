// Package edge is the common part of REST and GraphQL before an operation: the request's id and log line, security
// headers, observers, error statuses, media types and bodies.
//
// Every request passes Wrap once. Both APIs call the other functions, so that the same rules apply to both.
package edge
