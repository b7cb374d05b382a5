package access

import (
	"fmt"
	"io"

	"ticketgate/domain"
	"ticketgate/domain/csv"
)

// MaxInlineRows is how many rows an import may have that comes without a file.
const MaxInlineRows = 1000

// inlineRows are the rows of an import that comes without a file: entries, the records of a table whose text the caller has taken
// apart, or a part of a CSV text.
type inlineRows struct {
	rows    []NewEntry
	columns []*string
	records []ImportRecord
	// text is a part of a CSV text, and before how far the text was read before it.
	text   *string
	before ImportText
	more   bool
	// further says that the rows follow others.
	further bool
}

// ImportRecord is one record of a table, and the line of the file on which it begins.
type ImportRecord struct {
	Line  int      `graphql:"line"`
	Cells []string `graphql:"cells"`
}

func (r inlineRows) count() int { return len(r.rows) + len(r.records) }

// check says what is wrong with the rows, of which so many calls or rows came before. Columns and records are judged by the reader
// of CSV files (IMPORT-2).
func (r inlineRows) check(after int) *domain.Problems {
	problems := &domain.Problems{}
	if after < 0 {
		problems.Add("after", "must be 0 or more")
	}
	switch {
	case r.text != nil:
		r.checkText(problems)
	case len(r.columns) > 0:
		if len(r.rows) > 0 {
			problems.Add("rows", "must not be combined with columns and records")
		}
		r.checkRecords(problems)
		r.checkColumns(problems)
	case len(r.records) > 0:
		problems.Add("columns", "must name the columns of records")
	case len(r.rows) > MaxInlineRows:
		problems.Add("rows", "must be at most 1000; send the others with continueEntryImport, or a file to the REST API")
	}
	if r.text == nil && r.before.Heading {
		problems.Add("heading", "must not be true without text")
	}
	return problems
}

func (r inlineRows) checkRecords(problems *domain.Problems) {
	if len(r.records) > MaxInlineRows {
		problems.Add("records", "must have at most 1000 entries; send the others with continueEntryImport")
	}
	last := 0
	for i, record := range r.records {
		if record.Line <= last {
			problems.Add(domain.IndexPath("records", i)+".line", fmt.Sprintf("must be more than %d, the line of the record before", last))
			break
		}
		last = record.Line
	}
}

func (r inlineRows) checkColumns(problems *domain.Problems) {
	columns, wrong := columnsOf(r.columns, columnOfInput)
	problems.Further(wrong.Err())
	if len(columns) <= maxColumns && !holdCodes(columns) {
		problems.Add("columns", "must name externalCode")
	}
}

// checkText says what is wrong with a part of a text, and with what comes next to it.
func (r inlineRows) checkText(problems *domain.Problems) {
	if length := len(*r.text); length > MaxTextBytes {
		problems.AddHint("text", fmt.Sprintf("must be at most %d bytes in UTF-8, not %d", MaxTextBytes, length),
			"send the rest with continueEntryImport")
	}
	if len(r.rows) > 0 {
		problems.Add("rows", "must not be combined with text")
	}
	if len(r.records) > 0 {
		problems.Add("records", "must not be combined with text")
	}
	switch {
	case !r.further:
		r.checkColumns(problems)
	case len(r.columns) > 0:
		problems.Add("columns", "must not be sent again: a text has the columns of its first part")
	}
}

// source returns rows that are checked, numbered on from those before. Records have the lines of their file.
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

// file returns the rows as those of a file.
func (r inlineRows) file(before int) File {
	return func() (Source, error) { return r.source(before), nil }
}

// inline is the source of rows that came as they are.
type inline struct {
	rows   []NewEntry
	before int
	next   int
}

// Next yields the next row.
func (s *inline) Next() (Row, error) {
	if s.next == len(s.rows) {
		return Row{}, io.EOF
	}
	s.next++
	return Row{Line: s.before + s.next, Entry: s.rows[s.next-1]}, nil
}

// table is the source of records that were taken apart by the caller.
type table struct {
	csvFile csvFile
	records []ImportRecord
}

// Next yields the next record that is not blank.
func (t *table) Next() (Row, error) {
	if len(t.records) == 0 {
		return Row{}, io.EOF
	}
	record := t.records[0]
	t.records = t.records[1:]
	return t.csvFile.row(csv.Record{Cells: record.Cells, Line: record.Line, Fault: csv.Fault(record.Cells)}), nil
}
