// Package edge is what REST and GraphQL share before an operation is reached: the request's id and log line, the security
// headers, observers, error statuses, media types and bodies.
//
// Every request passes Wrap once. The rest are functions that both APIs call, so that one rule holds for both.
package edge
