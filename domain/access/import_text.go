package access

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"ticketgate/domain/csv"
	"ticketgate/domain/texts"
)

// MaxTextBytes is the maximum size of a CSV text in one call, in bytes of UTF-8. As JSON, with each quotation mark and
// line break escaped, it fits into a request body.
const MaxTextBytes = 512 << 10

// ImportText is the state of a CSV text that is sent in parts.
type ImportText struct {
	// Columns names the columns. A nil name leaves the column out.
	Columns []*string `json:"columns"`
	// Heading reports whether the first record, which names the columns, is still to be skipped.
	Heading bool `json:"heading"`
	// Place is the position up to which the text was read.
	Place csv.Place `json:"place"`
	// Parts is the number of received parts.
	Parts int `json:"-"`
	// Rest is the unread end of the last part, a record that may continue in the next one.
	Rest []byte `json:"-"`
}

// textPart is the source of a part of a CSV text.
type textPart struct {
	csvFile

	text   string // with the rest of the previous part
	before ImportText
	more   bool
}

// newTextPart returns the rows of a part. With more, a record that may continue is left unread.
func newTextPart(text string, before ImportText, more bool) *textPart {
	columns, _ := columnsOf(before.Columns, columnOfInput)
	text = string(before.Rest) + text
	reader := csv.NewPart(strings.NewReader(text), before.Place, more)
	return &textPart{csvFile: csvFile{reader: reader, columns: columns}, text: text, before: before, more: more}
}

// Next returns the next row that is not blank.
func (t *textPart) Next() (Row, error) {
	if t.before.Heading {
		if err := t.passHeading(); err != nil {
			return Row{}, err
		}
	}
	return t.csvFile.Next()
}

// passHeading skips the record that names the columns. As in a file, it must be valid.
func (t *textPart) passHeading() error {
	record, err := t.reader.Next()
	if err != nil {
		return fileError(err)
	}
	t.before.Heading = false
	return faultOf(record)
}

// after returns the state of the text after all rows of the part were read.
func (t *textPart) after() ImportText {
	after := t.before
	after.Place, after.Parts, after.Rest = t.reader.Place(), t.before.Parts+1, nil
	if t.more {
		after.Rest = []byte(t.text[t.reader.Consumed():])
	}
	return after
}

// MaxBeginningBytes is the maximum size of a text to find the columns of, in bytes of UTF-8.
const MaxBeginningBytes = 64 << 10

// TextBeginning is the beginning of a CSV text as an import reads it.
type TextBeginning struct {
	// Problem says why the text, or its remainder, can't be read. It is empty if it can.
	Problem string
	// Separator separates the cells. It is empty if there is no record.
	Separator string
	// Heading reports whether the first record names the columns.
	Heading bool
	// Records is the number of complete records, including the first, up to a problem.
	Records int
	Columns []TextColumn
}

// ShownProblem returns the problem, or nil.
func (b TextBeginning) ShownProblem() *string { return texts.Shown(b.Problem) }

// ShownSeparator returns the separator, or nil.
func (b TextBeginning) ShownSeparator() *string { return texts.Shown(b.Separator) }

// TextColumn is a column of a text.
type TextColumn struct {
	// Cell is the column's cell in the first record.
	Cell string
	// Column is the name to import it by: a field of an entry, meta.x, an empty name, or nil to leave it out.
	Column *string
}

// beginningOf reads the beginning of a text. Unless heading is set, it detects whether the first record names the
// columns.
func beginningOf(text string, heading *bool, more bool) TextBeginning {
	var found TextBeginning
	reader := csv.NewPart(strings.NewReader(text), csv.Place{}, more)
	if heading == nil || *heading {
		reader.First = looksLikeJSON
	}
	for {
		record, err := reader.Next()
		if err == nil {
			err = faultOf(record)
		}
		if err == nil && found.Records == 0 {
			found.Separator = string(rune(reader.Place().Comma))
			err = found.readFirst(record.Cells, heading)
		}
		switch {
		case errors.Is(err, io.EOF):
			if found.Records == 0 && more {
				found.Problem = fmt.Sprintf("No record ends within the first %d bytes", len(text))
			}
			return found
		case err != nil:
			found.Problem = fileError(err).Error()
			return found
		}
		found.Records++
	}
}

// readFirst determines the columns from the first record.
func (b *TextBeginning) readFirst(cells []string, heading *bool) error {
	if len(cells) > maxColumns {
		return csv.Error(fmt.Sprintf("The first line has %d columns, but an import has at most %d", len(cells), maxColumns))
	}
	named := withoutBlankEnd(cells, 1)
	b.Heading = len(named) > 1 || columnOf(texts.Trim(named[0])) != column{}
	if heading != nil {
		b.Heading = *heading
	}
	for i, cell := range cells {
		b.Columns = append(b.Columns, TextColumn{Cell: cell, Column: b.columnOf(i, cell, len(named) == 1)})
	}
	return nil
}

// columnOf returns the import name of a column, judging by its cell in the first record. Alone reports whether all
// other cells are blank.
func (b *TextBeginning) columnOf(i int, cell string, alone bool) *string {
	name := texts.Trim(cell)
	switch known := columnOf(name); {
	case name == "":
		return new(string)
	case b.Heading && known.member != "":
		return &known.member
	case b.Heading && known.meta != "":
		name = "meta." + known.meta
		return &name
	case !b.Heading && i == 0 && alone:
		name = codeField
		return &name
	}
	return nil
}
