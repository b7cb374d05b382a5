// Package decode is the one decoder of what callers send: of bodies, of inputs of GraphQL, and of documents that are imported
// or published.
//
// It gathers every fault with the path of its field, so that one response names all of them (BODY-1). A value comes from one of
// two sources, and goes to one of two targets:
//
//   - Object fills a Go struct, by its json tags, from JSON that ecmajson has read.
//   - Input fills one from what gqlgen has coerced: maps, slices and scalars of Go. Numbers keep their digits.
//   - Document fills the normal form of a document, by its definition, from JSON that ecmajson has read.
//
// The errors of documents have words of their own, and end at the hundredth: a document can be wrong ten thousand times.
//
// Three kinds of field can be left out: a domain.Optional, which keeps absent and null apart, a pointer, and a field tagged
// omitempty or omitzero. All others are required; in GraphQL the schema decides that. A field of type ecmajson.Value takes
// any JSON as it was read.
//
// It is a leaf package: it knows no record and no actor.
package decode
