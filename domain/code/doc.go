// Package code reads the codes of imported entries and tickets, and detects codes that a spreadsheet has damaged.
//
// It is a leaf package that does not depend on records or actors.
package code
