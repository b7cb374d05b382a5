// Package rest serves the documented paths of the specification.
//
// routes.go is the table of paths. A handler reads the request, calls the resolver that GraphQL calls too, and
// writes the answer; it holds no rule of its own. body.go reads bodies strictly, errors.go is the one shape of
// an error, middleware.go is what every request passes through.
package rest
