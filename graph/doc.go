// Package graph is the GraphQL API: POST /graphql, its schema, its resolvers, and the limits of what a document may ask for.
//
// # A request's way
//
//   - edge has what REST does too: credentials, media types, bodies, deadlines, statuses.
//   - handler.go authenticates the caller. endpoint.go chooses one of two servers of gqlgen, which differ in whether they
//     suggest names of the schema, and sets up both.
//   - post.go and stream.go are their transports: the status of the response, its deadline, and the events of a subscription.
//     request_body.go reads the request's four fields strictly; response.go writes the response.
//   - gqlparser parses at most 1,000 tokens and validates, with literals.go as a rule of ours. documents.go
//     keeps what it has parsed.
//   - limits.go is an extension that refuses what is too deep, too aliased or too dear before anything runs; cost.go does the
//     sums. It also keeps the errors of a response few, see errors_once.go.
//   - The resolvers call the operations of package domain and hold no rule of their own. loaders.go reads an edge once for all
//     objects of a response.
//   - Objects whose selected fields need no resolver are written by package plain; docs/internals/graphql.md says how.
//   - present_error.go decides what of an error a caller sees.
//
// Not used of gqlgen: its transports, which accept forms, repeated members and trailing text, repeat the body in errors, and set no
// deadline for an event; its complexity limit, which takes exponential time on fragments that spread each other; its cache,
// which bounds the number of documents rather than their memory.
package graph
