// Package decode is the one decoder for input from callers: bodies, GraphQL inputs, and documents that are imported or
// published.
//
// It collects every fault with the path of its field, so that one response names all of them (BODY-1). A value comes
// from one of two sources and goes to one of two targets:
//
//   - Object decodes JSON that ecmajson has parsed into a Go struct, by its json tags.
//   - Input decodes values coerced by gqlgen into a Go struct: maps, slices and scalars. Numbers keep their digits.
//   - Document decodes JSON that ecmajson has parsed into the normal form of a document, by its definition.
//
// Messages about documents differ from the others, and decoding stops at the hundredth fault, because a document can
// have tens of thousands.
//
// Three kinds of field may be omitted: an optional.Value, which keeps omitted and null apart, a pointer, and a field
// tagged omitempty or omitzero. All others are required. In GraphQL the schema decides. A field of type ecmajson.Value
// takes any JSON as it was read.
//
// It is a leaf package that does not depend on records or actors.
package decode
