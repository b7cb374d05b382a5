// Package rest serves the documented paths of the specification.
//
// routes.go is the table of paths. A handler reads the request, calls the resolver that GraphQL calls too, and
// writes the response; it holds no rule of its own. domain/decode reads bodies. What GraphQL does too before an
// operation is reached is in graph/edge.
package rest
