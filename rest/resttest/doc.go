// Package resttest sends requests to a running server and holds each exchange against the server's own OpenAPI
// document, so that a scenario test proves the document along with the behaviour.
//
// What a Client checks of every exchange, and fails the test for:
//
//   - An answer has a documented status, its headers and, in every member, the shape of its schema.
//   - A request that was accepted is one that the document allows: credential, parameters, media type and body. A
//     request that was refused may be anything, since tests send faults on purpose.
//   - What the document doesn't know is refused with an error of the documented shape.
//
// Golden compares answers with files under testdata/golden, after ids, instants and secrets have become placeholders.
// With UPDATE_GOLDEN=1 in the environment the files are written instead.
package resttest
