// Package identification decides which documents a company must present before it can buy.
//
// It does no I/O: Check validates a buyer's documents against the seller's requirements, and FormOf returns the
// documents to ask for. Numbers are not looked up in any register.
//
// # Terms
//
//   - document: a number that identifies the buyer's company, and its type.
//   - requirement: when a document of a type is required.
//   - group: alternative requirements; a document of any one of them is enough.
//   - configuration: groups, each of which must be satisfied.
//
// The rules are IDENT-1 to IDENT-9. A body may have at most ten documents, including several of the same type. Unknown
// fields of a document are ignored, but a field that differs from type or identifier only in case is an error.
package identification
