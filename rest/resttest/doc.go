// Package resttest sends requests to a running server and checks each exchange against the server's own OpenAPI
// document, so that a scenario test verifies the document along with the behavior.
//
// A Client checks every exchange, and fails the test unless:
//
//   - a response has a documented status, its headers and, in every field, the form of its schema;
//   - an accepted request is allowed by the document: credential, parameters, media type and body (a refused one
//     may be anything, because tests send faults on purpose);
//   - an undocumented path or method is refused with a documented error.
//
// Golden compares responses with files under testdata/golden, after replacing ids, times and secrets by placeholders.
// With UPDATE_GOLDEN=1 in the environment it writes the files instead.
package resttest
