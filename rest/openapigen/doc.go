// Command openapigen writes rest/openapi_schemas.yaml: the schemas of resources and requests in the OpenAPI document.
// `make generate` runs it in the root of the repository.
//
// The GraphQL schema provides the descriptions of types and fields, which fields may be null, the values of
// enumerations and, with @constraint, the valid texts, numbers and lists. The Go types that both APIs share provide
// REST's names and order of fields, which fields a response omits, and the spelling of enumerations. A field that only
// GraphQL resolves, such as an edge, is not a field of the Go type, so it is left out.
//
// rest_only.yaml provides everything else, such as fields that only REST has. Paths, parameters, errors and the schemas
// around these are in rest/openapi.yaml.
package main
