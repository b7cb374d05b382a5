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

// Error is a fault of a file as a whole, after which no more records can be recognized.
type Error string

func (e Error) Error() string { return string(e) }

// Record is a record that is not blank.
type Record struct {
	Cells []string
	// Line is the number of the line on which the record starts. Quoted cells may span several lines.
	Line int
	// Fault describes the error of the record. It is empty for a valid record. The cells before the fault are valid.
	Fault string
}

// Reader reads the records of a file.
type Reader struct {
	// First, if set, is called for each line from which the separator may be detected. It can reject the file.
	First func(line []byte, number int) error

	lines *Lines
	comma byte
	place Place
	read  int
}

// Place is a position between two records of a text, with what is known about the text before it.
type Place struct {
	// Line is the number of the line before the position.
	Line int `json:"line"`
	// Comma separates cells and End ends lines. Both are zero if unknown.
	Comma byte `json:"comma"`
	End   byte `json:"end"`
}

// NewReader returns a Reader for the records of a file.
func NewReader(in io.Reader) *Reader { return &Reader{lines: NewLines(in)} }

// NewPart returns a Reader for the part of a text that starts at a Place. The zero Place is the start of the text. If
// more is set, the text continues after the part, and a record that may continue there is left unread. The next part
// must start with it, at Place.
func NewPart(in io.Reader, at Place, more bool) *Reader {
	r := &Reader{lines: NewLines(in), comma: at.Comma, place: at}
	r.lines.number, r.lines.end, r.lines.more = at.Line, at.End, more
	return r
}

// Line returns the number of the last line read.
func (r *Reader) Line() int { return r.lines.Number() }

// Place returns the position after the last complete record that was read.
func (r *Reader) Place() Place { return r.place }

// Consumed returns the number of input bytes before Place.
func (r *Reader) Consumed() int { return r.read }

// Next returns the next record that is not blank. It returns io.EOF at the end of the file, or after the last complete
// record of a part.
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

// pass moves the position behind the text read so far.
func (r *Reader) pass() {
	r.place, r.read = Place{Line: r.lines.number, Comma: r.comma, End: r.lines.end}, r.lines.read
}

func (r *Reader) first(text []byte, line int) error {
	if r.First == nil {
		return nil
	}
	return r.First(text, line)
}

// Fault describes the error of the text of a record, or returns "".
func Fault(cells []string) string {
	switch whole := strings.Join(cells, ""); {
	case !utf8.ValidString(whole) || strings.ContainsRune(whole, 0):
		return "must be valid UTF-8 without the NUL character"
	case len(whole) > MaxRecordBytes:
		return fmt.Sprintf("must be at most %d bytes, not %d", MaxRecordBytes, len(whole))
	}
	return ""
}

// cells returns the cells of the record that starts with text. A quoted cell that is not closed there continues on the
// following lines.
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
		if bytes.IndexByte(more, '"') >= 0 { // otherwise it is still open
			cells, open, fault = split(whole, r.comma)
		}
	}
	return cells, fault, nil
}

func tooLong(line int) error {
	return Error(fmt.Sprintf("Line %d: a record has more than %d bytes, or a quotation mark is never closed", line, MaxRecordBytes))
}

// separates detects the separator from the first line that shows it, and reports whether that line is a record. An
// empty line shows nothing, and a line that declares the separator is not a record.
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

// split returns the cells of a record. open is true if a quoted cell is not closed yet.
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

// closing returns the index of the quotation mark that ends a quoted cell, skipping doubled ones, or -1.
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

// namedComma parses a first line such as sep=; in which a spreadsheet declares the separator.
func namedComma(line []byte) (comma byte, named bool) {
	const word = "sep="
	line = bytes.Trim(line, `"`)
	if len(line) != len(word)+1 || !bytes.EqualFold(line[:len(word)], []byte(word)) {
		return 0, false
	}
	return line[len(word)], true
}

// commaOf returns the separator of the first line: the candidate that occurs most often outside quotation marks.
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
