// Package rest serves the REST API.
//
// routes.go is the table of paths. A handler reads the request, calls the same resolver as GraphQL and writes the
// response. It contains no rules of its own. Package decode reads bodies. Everything that both APIs do before an
// operation is in graph/edge.
package rest
