package edge

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"ticketgate/domain"
)

// Spool keeps a body while it is read, so that it can be read again: up to MaxBody bytes in memory, a longer one in a
// temporary file. From 64 KiB on it waits for its seller's share of the one (LIMIT-28) and of the other (LIMIT-26). The file has no
// name, so that nothing is left of it when the process ends.
type Spool struct {
	ctx    context.Context //nolint:containedctx // the request's, for writes that know none
	body   io.Reader
	limit  int64
	size   int64
	opened bool
	kept   bytes.Buffer
	// leave gives back the place of what is kept in memory. Nil before there is one.
	leave func()
	file  *os.File
}

// MaxFile is the size in bytes of the largest file that is kept.
const MaxFile = 256 << 20

// NewSpool returns a spool of a request's body of at most limit bytes. It must be closed.
func NewSpool(ctx context.Context, body io.Reader, limit int64) *Spool {
	return &Spool{ctx: ctx, body: body, limit: limit}
}

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
	s.givePlaceBack()
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

func (s *Spool) givePlaceBack() {
	if s.leave != nil {
		s.leave()
	}
	s.leave = nil
}

// keep keeps text in memory.
func (s *Spool) keep(text []byte) (n int, err error) {
	if s.leave == nil && s.kept.Len()+len(text) > smallBody {
		if s.leave, err = gateOf(s.ctx).come(s.ctx, arrivalBound); err != nil {
			return 0, err
		}
	}
	return s.kept.Write(text)
}

// keeper writes into a spool.
type keeper struct{ spool *Spool }

// Write keeps what was read.
func (k keeper) Write(text []byte) (int, error) {
	s := k.spool
	if s.size += int64(len(text)); s.size > s.limit {
		return 0, TooLarge(s.limit)
	}
	if s.file == nil && s.kept.Len()+len(text) <= MaxBody {
		return s.keep(text)
	}
	if s.file == nil {
		if err := gateOf(s.ctx).spool(s.ctx); err != nil {
			return 0, err
		}
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
	file, err := os.CreateTemp("", "ticketgate-body-") // mode 0600
	if err != nil {
		return err
	}
	s.file = file
	if err := os.Remove(file.Name()); err != nil {
		return err
	}
	_, err = s.kept.WriteTo(file)
	s.kept = bytes.Buffer{}
	s.givePlaceBack()
	return err
}

// notKept is the error of a body that could not be kept: the folder for temporary files is full, or can't be written to.
func notKept(err error) error {
	return domain.Unavailable(fmt.Errorf("keep a body of more than 1 MiB: %w", err))
}
