package csv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxRecordBytes is the maximum length of a record, so that a file of any size is read in little memory.
const MaxRecordBytes = 64 << 10

// Lines reads a text line by line.
type Lines struct {
	in     *bufio.Reader
	number int  // number of the last line read
	end    byte // end of a line: LF, or CR in a file without LF, as old spreadsheets write it
	more   bool // whether the text continues after in; a line without an end is then left unread
	read   int  // number of bytes read
}

// NewLines returns the lines of a text.
func NewLines(in io.Reader) *Lines { return &Lines{in: bufio.NewReaderSize(in, MaxRecordBytes)} }

// ErrLongLine is returned for a line longer than MaxRecordBytes. The line counts in Number. Skip skips the rest of it.
var ErrLongLine = errors.New("the line is longer than a record may be")

// Number returns the number of the last line read.
func (l *Lines) Number() int { return l.number }

// Next returns the next line without its line ending. The slice is valid until the next call.
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
	if bytes.ContainsAny(line, "\r\n") && !bytes.ContainsRune(line, '"') { // a quoted cell may span lines
		return nil, Error(
			fmt.Sprintf("Line %d: some lines end in CR and others in LF; save the file with the same line ending everywhere", l.number))
	}
	return line, nil
}

// Skip skips the rest of a line that is too long.
func (l *Lines) Skip() error {
	for {
		switch _, err := l.in.ReadSlice(l.end); {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF): // Next returns it again
			return nil
		default:
			return err
		}
	}
}

// findEnd detects the line ending from the first line. It ignores read errors, because Next returns them too. A CR at
// the end of a part may have its LF in the next part. That line is left unread.
func (l *Lines) findEnd() {
	begin, _ := l.in.Peek(MaxRecordBytes)
	l.end = '\n'
	if at := bytes.IndexAny(begin, "\r\n"); at >= 0 && at+1 < len(begin) && begin[at] == '\r' && begin[at+1] != '\n' {
		l.end = '\r'
	}
}

// skipMark skips the byte order mark that spreadsheets write first.
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
