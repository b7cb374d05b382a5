// Package decode fills Go structs from JSON objects and from inputs of GraphQL, by their json tags.
//
// It is the one decoder of what callers send. It gathers every fault with the path of its field, so that one response
// names all of them (BODY-1). A value comes in one of two ways:
//
//   - Object takes JSON that ecmajson has read.
//   - Input takes what gqlgen has coerced: maps, slices and scalars of Go. Numbers keep their digits.
//
// Three kinds of field can be left out: a domain.Optional, which keeps absent and null apart, a pointer, and a field tagged
// omitempty or omitzero. All others are required; in GraphQL the schema decides that. A field of type ecmajson.Value takes
// any JSON as it was read.
//
// It is a leaf package: it knows no record and no actor.
package decode
