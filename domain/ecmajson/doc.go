// Package ecmajson reads JSON strictly and prints it byte for byte as ECMAScript does.
//
// Two promises hold for every text that Parse accepts:
//
//   - Nothing is changed silently. Numbers that a double cannot keep, repeated
//     member names, NUL, broken UTF-8 and lone surrogates are refused with the
//     path of the place (decisions 1.6, 1.7).
//   - Append prints what JSON.stringify(JSON.parse(text)) prints, so a receiver
//     may verify a webhook signature over its own re-print (decisions 7.2).
//
// A text can fail in two ways, and callers tell them apart by type. A
// *SyntaxError means that it is no JSON at all, and where. Problems mean that it is,
// with a path and a sentence for each place that breaks a rule, so that a sender
// can mend them all at once (decisions 2.1).
//
// Work and memory grow in line with the text, whatever is in it: nesting, repeated
// names, index-like names, endless digits and subnormal numbers have no worst case
// of their own. BenchmarkParseHostile shows it.
//
// The package is pure: it knows no actor, no database and no network. Request
// bodies enter through Parse, decoded GraphQL variables through FromGo.
package ecmajson
