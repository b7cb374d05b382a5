// Package code reads the codes of imported entries and tickets, and finds those that a spreadsheet has damaged.
//
// It is a leaf package: it knows no record and no actor.
package code
