// Package ecmajson reads JSON strictly and prints it byte for byte as ECMAScript does.
//
// It makes two promises for every text that Parse accepts:
//
//   - Nothing is changed silently. Numbers that a double cannot represent, repeated names, NUL, invalid UTF-8 and
//     lone surrogates are refused with their path (VALUE-3, VALUE-5, BODY-4).
//   - Append prints what JSON.stringify(JSON.parse(text)) prints, so a receiver may verify a webhook signature over
//     its own re-serialized body.
//
// Errors are of two types. A *SyntaxError means that the text is not JSON, and where. Problems mean that it is JSON,
// with a path and a message for each place that breaks a rule, so that the sender can fix them all at once (BODY-1).
//
// Time and memory grow linearly with the text, whatever it contains: nesting, repeated names, index-like names, endless
// digits and subnormal numbers have no worse case. BenchmarkParseHostile measures it.
//
// The package is pure: it does not depend on actors, a database or the network. Request bodies enter through Parse,
// decoded GraphQL variables through FromGo.
package ecmajson
