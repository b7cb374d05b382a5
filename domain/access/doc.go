// Package access manages access lists, their entries and imports, and looks up the tickets of codes.
//
// A static list has entries, which are codes with the data of their holders. A remote list has none and calls its
// listener instead. A code may be in several lists of a seller, but only once in each (ACCESS-2).
//
// An import has two steps. Staging reads a file into a separate table and reports what the import would do: which codes
// are new, unchanged, in conflict or bad. Committing applies it, all or nothing. Commit, cancel and undo are
// idempotent, so a caller that got no response can repeat the call.
package access
