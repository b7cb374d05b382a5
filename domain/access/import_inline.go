package access

import (
	"fmt"
	"io"

	"ticketgate/domain"
	"ticketgate/domain/csv"
)

// MaxInlineRows is the maximum number of rows in one call without a file.
const MaxInlineRows = 1000

// inlineRows are the rows of an import without a file: entries, records of a table that the caller has parsed, or a
// part of a CSV text.
type inlineRows struct {
	rows    []NewEntry
	columns []*string
	records []ImportRecord
	// text is a part of a CSV text, and before the state after the earlier parts.
	text   *string
	before ImportText
	more   bool
	// further reports whether the rows follow earlier ones.
	further bool
}

// ImportRecord is a record of a table, with the line of the file on which it starts.
type ImportRecord struct {
	Line  int      `graphql:"line"`
	Cells []string `graphql:"cells"`
}

func (r inlineRows) count() int { return len(r.rows) + len(r.records) }

// check returns the errors of the rows, which follow this number of earlier rows or parts. Columns and records are
// checked by the CSV reader (IMPORT-2).
func (r inlineRows) check(after int) *domain.FieldErrors {
	errs := &domain.FieldErrors{}
	if after < 0 {
		errs.Add("after", "must not be negative")
	}
	switch {
	case r.text != nil:
		r.checkText(errs)
	case len(r.columns) > 0:
		if len(r.rows) > 0 {
			errs.Add("rows", "must not be combined with columns and records")
		}
		r.checkRecords(errs)
		r.checkColumns(errs)
	case len(r.records) > 0:
		errs.Add("columns", "must name the columns of records")
	case len(r.rows) > MaxInlineRows:
		errs.Add("rows", "must have at most 1000 entries. Send the rest with continueEntryImport, or send a file to the REST API")
	}
	if r.text == nil && r.before.Heading {
		errs.Add("heading", "must not be true without text")
	}
	return errs
}

func (r inlineRows) checkRecords(errs *domain.FieldErrors) {
	if len(r.records) > MaxInlineRows {
		errs.Add("records", "must have at most 1000 entries. Send the rest with continueEntryImport")
	}
	last := 0
	for i, record := range r.records {
		if record.Line <= last {
			errs.Add(domain.IndexPath("records", i)+".line", fmt.Sprintf("must be greater than the previous line, %d", last))
			break
		}
		last = record.Line
	}
}

func (r inlineRows) checkColumns(errs *domain.FieldErrors) {
	columns, wrong := columnsOf(r.columns, columnOfInput)
	errs.Merge(wrong.Err())
	if len(columns) <= maxColumns && !holdCodes(columns) {
		errs.Add("columns", "must include externalCode")
	}
}

// checkText returns the errors of a part of a text, and of fields that can't be combined with it.
func (r inlineRows) checkText(errs *domain.FieldErrors) {
	if length := len(*r.text); length > MaxTextBytes {
		errs.AddHint("text", fmt.Sprintf("must be at most %d bytes in UTF-8, not %d", MaxTextBytes, length),
			"Send the rest with continueEntryImport")
	}
	if len(r.rows) > 0 {
		errs.Add("rows", "must not be combined with text")
	}
	if len(r.records) > 0 {
		errs.Add("records", "must not be combined with text")
	}
	switch {
	case !r.further:
		r.checkColumns(errs)
	case len(r.columns) > 0:
		errs.Add("columns", "must not be sent again; the columns of the first part apply")
	}
}

// source returns checked rows, numbered after those before. Records keep the lines of their file.
func (r inlineRows) source(before int) Source {
	columns, _ := columnsOf(r.columns, columnOfInput)
	switch {
	case r.text != nil:
		return newTextPart(*r.text, r.before, r.more)
	case len(r.columns) > 0:
		return &table{csvFile: csvFile{columns: columns}, records: r.records}
	default:
		return &inline{rows: r.rows, before: before}
	}
}

// file returns the rows as a File.
func (r inlineRows) file(before int) File {
	return func() (Source, error) { return r.source(before), nil }
}

// inline is the source of entries sent without a file.
type inline struct {
	rows   []NewEntry
	before int
	next   int
}

// Next returns the next row.
func (s *inline) Next() (Row, error) {
	if s.next == len(s.rows) {
		return Row{}, io.EOF
	}
	s.next++
	return Row{Line: s.before + s.next, Entry: s.rows[s.next-1]}, nil
}

// table is the source of records that the caller has parsed.
type table struct {
	csvFile csvFile
	records []ImportRecord
}

// Next returns the next record that is not blank.
func (t *table) Next() (Row, error) {
	if len(t.records) == 0 {
		return Row{}, io.EOF
	}
	record := t.records[0]
	t.records = t.records[1:]
	return t.csvFile.row(csv.Record{Cells: record.Cells, Line: record.Line, Fault: csv.Fault(record.Cells)}), nil
}
