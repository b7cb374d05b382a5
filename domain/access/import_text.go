package access

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"ticketgate/domain/csv"
	"ticketgate/domain/texts"
)

// MaxTextBytes is how much of a CSV text one call takes, in bytes of UTF-8. As JSON, with each quotation mark and line break
// escaped, it fits into the body of a request.
const MaxTextBytes = 512 << 10

// ImportText is how far a CSV text was read that comes in parts.
type ImportText struct {
	// Columns names the columns. A nil one is left out.
	Columns []*string `json:"columns"`
	// Heading says that the first record is still to come. It names the columns and is passed over.
	Heading bool `json:"heading"`
	// Place is the place up to which the text was read.
	Place csv.Place `json:"place"`
	// Parts is how many parts have come in.
	Parts int `json:"-"`
	// Rest is what was left unread of the last part: a record that may go on in the next one.
	Rest []byte `json:"-"`
}

// textPart is the source of a part of a CSV text.
type textPart struct {
	csvFile

	text   string // with the rest of the part before
	before ImportText
	more   bool
}

// newTextPart returns the rows of a part that follows what was read before. With more, a record that may go on is left unread.
func newTextPart(text string, before ImportText, more bool) *textPart {
	columns, _ := columnsOf(before.Columns, columnOfInput)
	text = string(before.Rest) + text
	reader := csv.NewPart(strings.NewReader(text), before.Place, more)
	return &textPart{csvFile: csvFile{reader: reader, columns: columns}, text: text, before: before, more: more}
}

// Next yields the next row that is not blank.
func (t *textPart) Next() (Row, error) {
	if t.before.Heading {
		if err := t.passHeading(); err != nil {
			return Row{}, err
		}
	}
	return t.csvFile.Next()
}

// passHeading passes over the record that names the columns. As in a file, it must not be faulty.
func (t *textPart) passHeading() error {
	record, err := t.reader.Next()
	if err != nil {
		return fileError(err)
	}
	t.before.Heading = false
	return faultOf(record)
}

// after returns how far the text was read once all rows of the part were.
func (t *textPart) after() ImportText {
	after := t.before
	after.Place, after.Parts, after.Rest = t.reader.Place(), t.before.Parts+1, nil
	if t.more {
		after.Rest = []byte(t.text[t.reader.Consumed():])
	}
	return after
}

// MaxBeginningBytes is how long the beginning of a text may be of which the columns are looked up, in bytes of UTF-8.
const MaxBeginningBytes = 64 << 10

// TextBeginning is what the reader of imports makes of the beginning of a CSV text.
type TextBeginning struct {
	// Problem says why the text can't be read, or not from some line on. It is empty if it can.
	Problem string
	// Separator is what separates the cells. It is empty as long as there is no record.
	Separator string
	// Heading reports whether the first record names the columns.
	Heading bool
	// Records is how many whole records there are, with the first one, up to a problem.
	Records int
	Columns []TextColumn
}

// ShownProblem is the problem, or null.
func (b TextBeginning) ShownProblem() *string { return texts.Shown(b.Problem) }

// ShownSeparator is the separator, or null.
func (b TextBeginning) ShownSeparator() *string { return texts.Shown(b.Separator) }

// TextColumn is a column of a text.
type TextColumn struct {
	// Cell is the one of the first record.
	Cell string
	// Column is what an import is told of it: a member of an entry, meta.x, an empty name, or nil for one that is left out.
	Column *string
}

// beginningOf reads the beginning of a text. Whether its first record names the columns is found out unless heading says so.
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

// readFirst takes the columns from the first record.
func (b *TextBeginning) readFirst(cells []string, heading *bool) error {
	if len(cells) > maxColumns {
		return csv.Error(fmt.Sprintf("The first line has %d columns, and an import at most %d", len(cells), maxColumns))
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

// columnOf returns what a column holds by its cell in the first record. Alone says that all other cells there are blank.
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
		name = codeMember
		return &name
	}
	return nil
}
