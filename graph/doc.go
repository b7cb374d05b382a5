// Package graph is the GraphQL API: POST /graphql with its schema, its resolvers and the limits of documents.
//
// # The path of a request
//
//   - Package edge contains the parts shared with REST: credentials, media types, bodies, deadlines and statuses.
//   - handler.go authenticates the caller. endpoint.go sets up two gqlgen servers and selects one of them; they differ in
//     whether they suggest names of the schema.
//   - post.go and stream.go are their transports: the status of the response, its deadline, and the events of a subscription.
//     request_body.go strictly reads the four fields of a request; response.go writes the response.
//   - gqlparser parses at most 1,000 tokens and validates the document, with literals.go as an additional rule. documents.go
//     caches parsed documents.
//   - limits.go is an extension that refuses documents that are nested too deeply, have too many aliases or cost too much,
//     before they are executed. cost.go computes the cost. errors_once.go limits the number of errors in a response.
//   - The resolvers call the operations of package domain and contain no rules. loaders.go reads an edge once for all objects
//     of a response.
//   - Package plain writes objects whose selected fields need no resolver, see docs/internals/graphql.md.
//   - present_error.go decides which parts of an error a caller sees.
//
// These parts of gqlgen are not used:
//
//   - its transports, which accept forms, repeated fields and trailing text, quote the body in errors, and set no deadline for
//     an event
//   - its complexity limit, which takes exponential time for fragments that spread each other
//   - its cache, which limits the number of documents and not their memory
package graph
