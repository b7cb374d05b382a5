// Package csv reads files of comma-separated values: RFC 4180, and what spreadsheets make of it. Cells are separated by commas,
// semicolons, tabs or vertical bars, as the first line shows or, with sep=, says. A byte order mark and blank records are passed
// over; lines end in LF, CRLF or, in the whole file, CR. A text may come in parts, divided anywhere (IMPORT-10).
//
// encoding/csv is not used: it makes LF of CRLF within quotation marks and of nothing else, refuses a cell such as ="0012345" or,
// with LazyQuotes, reads the following lines into it, ends no record at CR, and bounds no record.
package csv
