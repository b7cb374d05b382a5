// Package access is which codes open what: access lists, their entries, and how entries come in by the thousands.
//
// A static list holds entries, each a code with what is known of its holder. A remote list holds none: it names a
// listener that is asked. The same code may stand in several lists of a seller, and only once in each (decisions 5.2).
//
// Entries come one by one or by an import, which has two steps. Staging reads a file row by row into a table of its own
// and says what it would do: which codes are new, the same, in conflict or bad. Committing does it, all or nothing.
// Commit, cancel and undo are no-ops when repeated, so that a caller who got no answer simply asks again.
package access
