package access

import (
	"fmt"
	"io"

	"ticketgate/domain"
	"ticketgate/domain/csv"
)

// MaxInlineRows is how many rows an import may have that comes without a file.
const MaxInlineRows = 1000

// inlineRows are the rows of an import that comes without a file: entries, or the records of a table whose text the caller
// has taken apart.
type inlineRows struct {
	rows    []NewEntry
	columns []string
	records []ImportRecord
}

// ImportRecord is one record of a table, and the line of the file on which it begins.
type ImportRecord struct {
	Line  int      `graphql:"line"`
	Cells []string `graphql:"cells"`
}

func (r inlineRows) count() int { return len(r.rows) + len(r.records) }

// source returns the rows, numbered on from those before; records have the lines of their file. Columns and records are
// judged by the reader of CSV files (IMPORT-2).
func (r inlineRows) source(before int) (Source, error) {
	var problems domain.Problems
	if before < 0 {
		problems.Add("after", "must be 0 or more")
	}
	if len(r.columns) > 0 {
		return r.table(&problems)
	}
	if len(r.records) > 0 {
		problems.Add("columns", "must name the columns of records")
	}
	if len(r.rows) > MaxInlineRows {
		problems.Add("rows", "must be at most 1000; send the others with continueEntryImport, or a file to the REST API")
	}
	return &inline{rows: r.rows, before: before}, problems.Err()
}

func (r inlineRows) table(problems *domain.Problems) (Source, error) {
	if len(r.rows) > 0 {
		problems.Add("rows", "must not be combined with columns and records")
	}
	if len(r.records) > MaxInlineRows {
		problems.Add("records", "must have at most 1000 entries; send the others with continueEntryImport")
	}
	columns, wrong := columnsOf(r.columns)
	problems.Under("columns", wrong.Err())
	if !holdCodes(columns) {
		problems.Add("columns", "must name externalCode")
	}
	last := 0
	for i, record := range r.records {
		if record.Line <= last {
			problems.Add(domain.IndexPath("records", i)+".line", fmt.Sprintf("must be more than %d, the line of the record before", last))
			break
		}
		last = record.Line
	}
	return &table{csvFile: csvFile{columns: columns}, records: r.records}, problems.Err()
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
