// Command openapigen writes rest/openapi_schemas.yaml: the schemas of the OpenAPI document that describe resources and
// requests. `make generate` runs it in the root of the repository.
//
// The GraphQL schema says what a type and its fields mean, which fields may be null, which values an enumeration has and, with
// @constraint, which texts, numbers and lists are valid. The Go
// types that both APIs share say how REST names and orders the fields, which of them a response leaves out, and how it spells
// enumerations. A field that only GraphQL resolves, such as an edge, is not a field of the Go type, so it is left out.
//
// rest_only.yaml holds what neither says, such as fields that only REST has. Paths, parameters, errors and the schemas around
// these are in rest/openapi.yaml.
package main
