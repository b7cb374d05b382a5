package csv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxRecordBytes bounds a record, so that a file of any size is read in little memory.
const MaxRecordBytes = 64 << 10

// Lines reads a text line by line.
type Lines struct {
	in     *bufio.Reader
	number int  // of the line that was read last
	end    byte // of a line: CR in a file that has no other, as old spreadsheets write it
	more   bool // whether the text goes on after in: a line without an end is then left unread
	read   int  // how many bytes were read
}

// NewLines returns the lines of a text.
func NewLines(in io.Reader) *Lines { return &Lines{in: bufio.NewReaderSize(in, MaxRecordBytes)} }

// ErrLongLine is of a line that is longer than a record may be. The line is counted, and Skip passes over the rest of it.
var ErrLongLine = errors.New("the line is longer than a record may be")

// Number returns the number of the line that was read last.
func (l *Lines) Number() int { return l.number }

// Next returns the next line without its end; it is valid until the next call.
func (l *Lines) Next() ([]byte, error) {
	if l.number == 0 {
		if err := l.skipMark(); err != nil {
			return nil, err
		}
		l.findEnd()
	}
	line, err := l.in.ReadSlice(l.end)
	l.read += len(line)
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		l.number++
		return nil, ErrLongLine
	case errors.Is(err, io.EOF) && len(line) > 0 && !l.more: // the last line may lack its end
	case err != nil:
		return nil, err
	}
	l.number++
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	if bytes.ContainsAny(line, "\r\n") && !bytes.ContainsRune(line, '"') { // a quoted cell may go on over lines
		return nil, Error(
			fmt.Sprintf("Line %d: some lines end in CR and others in LF; save the file with one end for all lines", l.number))
	}
	return line, nil
}

// Skip passes over the rest of a line that is too long.
func (l *Lines) Skip() error {
	for {
		switch _, err := l.in.ReadSlice(l.end); {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF): // Next says it as well
			return nil
		default:
			return err
		}
	}
}

// findEnd looks at how the first line ends. What can't be read now can't be read by Next either, which says so; a CR at the end of
// a part may have its LF in the next one, and that line is then left unread.
func (l *Lines) findEnd() {
	begin, _ := l.in.Peek(MaxRecordBytes)
	l.end = '\n'
	if at := bytes.IndexAny(begin, "\r\n"); at >= 0 && at+1 < len(begin) && begin[at] == '\r' && begin[at+1] != '\n' {
		l.end = '\r'
	}
}

// skipMark passes over the byte order mark that spreadsheets put first.
func (l *Lines) skipMark() error {
	const utf8Mark = "\xef\xbb\xbf"
	mark, err := l.in.Peek(len(utf8Mark))
	if len(mark) >= 2 && (mark[0] == 0xff && mark[1] == 0xfe || mark[0] == 0xfe && mark[1] == 0xff) {
		return Error("The file is UTF-16; save it as UTF-8")
	}
	if string(mark) == utf8Mark {
		l.read, err = l.in.Discard(len(utf8Mark))
	}
	if errors.Is(err, io.EOF) { // shorter than a mark
		return nil
	}
	return err
}
