// Package graph is the GraphQL door: POST /graphql, its schema, its resolvers, and the bounds within which a stranger's
// document may make the server work.
//
// # A request's way
//
//   - edge has what REST does too: credentials, media types, bodies, deadlines, statuses.
//   - endpoint.go takes the request: method, content type, size, status of the response.
//   - request_body.go reads the request's four fields strictly.
//   - gqlparser parses at most 1,000 tokens and validates, with literals.go as a rule of ours beside its own.
//   - limits.go refuses what is too deep, too aliased or too dear before anything runs; cost.go does the sums.
//   - The resolvers call the operations of package domain and hold no rule of their own.
//   - present_error.go decides what of an error a caller sees; answer.go writes the result.
//
// gqlgen's own transports and complexity limit are not used: the first accept forms, repeated members and trailing
// text, the second takes exponential time on fragments that spread each other.
package graph
