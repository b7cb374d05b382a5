// Package csv reads CSV files as in RFC 4180 and as spreadsheets write them. Cells are separated by commas, semicolons,
// tabs or vertical bars, detected from the first line or declared there with sep=. A byte order mark and blank records
// are skipped. Lines end in LF or CRLF, or all of them in CR. A text may come in parts, divided anywhere (IMPORT-10).
//
// encoding/csv is not suitable. It turns CRLF into LF within quotation marks only, ends no record at CR, and does not
// limit the length of a record. It rejects a cell such as ="0012345" or, with LazyQuotes, reads the following lines
// into it.
package csv
