// Package plain writes objects whose selected fields need no resolver: fields of a struct, and methods without context,
// arguments and errors. The code that graph/graphgen generates calls it in place of gqlgen's execution, which has for each field of
// each object a context, several closures and a marshaler.
//
// A value that GraphQL doesn't allow, such as null in a field that must not be null, and a panic discard what was written: gqlgen
// resolves the objects again, and reports the errors. Plain fields have no effects, so that this shows nowhere else.
// docs/internals/graphql.md says more.
package plain
