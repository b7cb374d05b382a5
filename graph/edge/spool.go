package edge

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"ticketgate/domain"
)

// Spool keeps a body while it is read, so that it can be read again: up to MaxBody bytes in memory, a longer one in a
// temporary file. The file has no name, so that nothing is left of it when the process ends.
type Spool struct {
	body   io.Reader
	opened bool
	kept   bytes.Buffer
	file   *os.File
}

// NewSpool returns a spool of the body. It must be closed.
func NewSpool(body io.Reader) *Spool { return &Spool{body: body} }

// Open returns the body from its beginning. What the first reader reads is kept for the others; it must be read to its end
// before the next is opened.
func (s *Spool) Open() (io.Reader, error) {
	switch {
	case !s.opened:
		s.opened = true
		return io.TeeReader(s.body, keeper{s}), nil
	case s.file == nil:
		return bytes.NewReader(s.kept.Bytes()), nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, notKept(err)
	}
	return s.file, nil
}

// Close gives up what is kept.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// keeper writes into a spool.
type keeper struct{ spool *Spool }

// Write keeps what was read.
func (k keeper) Write(text []byte) (int, error) {
	s := k.spool
	if s.file == nil && s.kept.Len()+len(text) <= MaxBody {
		return s.kept.Write(text)
	}
	if s.file == nil {
		if err := s.toFile(); err != nil {
			return 0, notKept(err)
		}
	}
	n, err := s.file.Write(text)
	if err != nil {
		return n, notKept(err)
	}
	return n, nil
}

// toFile moves what is kept into a file.
func (s *Spool) toFile() error {
	file, err := os.CreateTemp("", "ticketgate-import-") // mode 0600
	if err != nil {
		return err
	}
	s.file = file
	if err := os.Remove(file.Name()); err != nil {
		return err
	}
	_, err = s.kept.WriteTo(file)
	s.kept = bytes.Buffer{}
	return err
}

// notKept is the error of a body that could not be kept: the folder for temporary files is full, or can't be written to.
func notKept(err error) error {
	return domain.Unavailable(fmt.Errorf("keep the file of an import: %w", err))
}
