package csv

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Error is what is wrong with a file as a whole: no further record can be told from others.
type Error string

func (e Error) Error() string { return string(e) }

// Record is a record that is not blank.
type Record struct {
	Cells []string
	// Line is the one on which the record begins. Quoted cells may go on over several lines.
	Line int
	// Fault says what is wrong with the record; it is empty if nothing is. The cells before the fault are right.
	Fault string
}

// Reader reads the records of a file.
type Reader struct {
	// First, if set, looks at each line from which the separator may be found out, and can refuse the file by it.
	First func(line []byte, number int) error

	lines *Lines
	comma byte
	place Place
	read  int
}

// Place is a place between two records of a text, and what is known there of the text before it.
type Place struct {
	// Line is the number of the line before the place.
	Line int `json:"line"`
	// Comma separates cells and End ends lines. Both are zero where that is not known yet.
	Comma byte `json:"comma"`
	End   byte `json:"end"`
}

// NewReader returns the records of a file.
func NewReader(in io.Reader) *Reader { return &Reader{lines: NewLines(in)} }

// NewPart returns the records of a part of a text that begins at a place; the zero Place is the beginning of the text. With more,
// the text goes on after the part, and a record that may go on there is left unread. The next part begins with it, at Place.
func NewPart(in io.Reader, at Place, more bool) *Reader {
	r := &Reader{lines: NewLines(in), comma: at.Comma, place: at}
	r.lines.number, r.lines.end, r.lines.more = at.Line, at.End, more
	return r
}

// Line returns the number of the line that was read last.
func (r *Reader) Line() int { return r.lines.Number() }

// Place returns the place behind the last whole record that was read.
func (r *Reader) Place() Place { return r.place }

// Consumed returns how many bytes of the input lie before Place.
func (r *Reader) Consumed() int { return r.read }

// Next returns the next record that is not blank; io.EOF is the end of the file, or of the whole records of a part.
func (r *Reader) Next() (Record, error) {
	for {
		text, err := r.lines.Next()
		line := r.lines.Number()
		if errors.Is(err, ErrLongLine) {
			err = tooLong(line)
		}
		if err != nil {
			return Record{}, err
		}
		if r.comma == 0 {
			if err := r.first(text, line); err != nil {
				return Record{}, err
			}
			if !r.separates(text) {
				r.pass()
				continue
			}
		}
		cells, fault, err := r.cells(text, line)
		if err != nil {
			return Record{}, err
		}
		r.pass()
		fault = cmp.Or(Fault(cells), fault)
		if fault != "" || strings.Join(cells, "") != "" {
			return Record{cells, line, fault}, nil
		}
	}
}

// pass moves the place behind what was read.
func (r *Reader) pass() {
	r.place, r.read = Place{Line: r.lines.number, Comma: r.comma, End: r.lines.end}, r.lines.read
}

func (r *Reader) first(text []byte, line int) error {
	if r.First == nil {
		return nil
	}
	return r.First(text, line)
}

// Fault returns what is wrong with the text of a record, or "".
func Fault(cells []string) string {
	switch whole := strings.Join(cells, ""); {
	case !utf8.ValidString(whole) || strings.ContainsRune(whole, 0):
		return "must be valid UTF-8 without the NUL character"
	case len(whole) > MaxRecordBytes:
		return fmt.Sprintf("has more than %d bytes", MaxRecordBytes)
	}
	return ""
}

// cells takes a record apart that begins on a line; a quoted cell that is open there goes on over those that follow.
func (r *Reader) cells(text []byte, line int) (cells []string, fault string, err error) {
	whole := string(text)
	cells, open, fault := split(whole, r.comma)
	for open {
		more, err := r.lines.Next()
		if errors.Is(err, io.EOF) && r.lines.more {
			return nil, "", err
		}
		if errors.Is(err, io.EOF) || errors.Is(err, ErrLongLine) || len(whole)+len(more) > MaxRecordBytes {
			return nil, "", tooLong(line)
		}
		if err != nil {
			return nil, "", err
		}
		whole += "\n" + string(more)
		if bytes.IndexByte(more, '"') >= 0 { // else it is still open
			cells, open, fault = split(whole, r.comma)
		}
	}
	return cells, fault, nil
}

func tooLong(line int) error {
	return Error(fmt.Sprintf("Line %d: a record has more than %d bytes, or a quotation mark is never closed", line, MaxRecordBytes))
}

// separates finds out what separates cells by the first line that tells, and whether that line is a record: an empty one tells
// nothing, and one that names the separator is none.
func (r *Reader) separates(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	var named bool
	if r.comma, named = namedComma(text); named {
		return false
	}
	r.comma = commaOf(text)
	return true
}

// split takes a record apart. Open tells that a quoted cell is not closed yet.
func split(record string, comma byte) (cells []string, open bool, fault string) {
	for {
		var cell string
		if quoted, ok := strings.CutPrefix(record, `"`); ok {
			end := closing(quoted)
			if end < 0 {
				return cells, true, ""
			}
			cell, record = strings.ReplaceAll(quoted[:end], `""`, `"`), quoted[end+1:]
			if record != "" && record[0] != comma {
				return cells, false, "has text after a closing quotation mark"
			}
		} else {
			end := strings.IndexByte(record, comma)
			if end < 0 {
				end = len(record)
			}
			cell, record = record[:end], record[end:]
		}
		cells = append(cells, cell)
		if record == "" {
			return cells, false, ""
		}
		record = record[1:]
	}
}

// closing finds the quotation mark that ends a quoted cell: one that is not doubled.
func closing(quoted string) int {
	for at := 0; at < len(quoted); at++ {
		if quoted[at] != '"' {
			continue
		}
		if at+1 == len(quoted) || quoted[at+1] != '"' {
			return at
		}
		at++
	}
	return -1
}

// namedComma reads a first line such as sep=; with which a spreadsheet says what separates the cells of its file.
func namedComma(line []byte) (comma byte, named bool) {
	const word = "sep="
	line = bytes.Trim(line, `"`)
	if len(line) != len(word)+1 || !bytes.EqualFold(line[:len(word)], []byte(word)) {
		return 0, false
	}
	return line[len(word)], true
}

// commaOf finds what separates the cells of the first line: what stands most often outside quotation marks.
func commaOf(line []byte) byte {
	counts, quoted := map[byte]int{}, false
	for _, char := range line {
		if char == '"' {
			quoted = !quoted
		}
		if !quoted {
			counts[char]++
		}
	}
	best := byte(',')
	for _, comma := range []byte{';', '\t', '|'} {
		if counts[comma] > counts[best] {
			best = comma
		}
	}
	return best
}
