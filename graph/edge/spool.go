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
// temporary file. From 64 KiB on, it waits for its seller's share of memory (LIMIT-28) and of files (LIMIT-26). The file
// has no name, so that nothing remains when the process ends.
type Spool struct {
	ctx    context.Context //nolint:containedctx // the request's context, for writes without one
	body   io.Reader
	limit  int64
	size   int64
	opened bool
	kept   bytes.Buffer
	// leave releases the slot in memory. It is nil before there is one.
	leave func()
	file  *os.File
}

// MaxFile is the maximum size of a temporary file in bytes.
const MaxFile = 256 << 20

// NewSpool returns a spool for a request's body of at most limit bytes. The caller must close it.
func NewSpool(ctx context.Context, body io.Reader, limit int64) *Spool {
	return &Spool{ctx: ctx, body: body, limit: limit}
}

// Open returns the body from its start. The first reader stores the body for later ones, and must reach the end before
// the next Open.
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

// Close releases memory and file.
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

// keep stores text in memory.
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

// Write stores a part of the body.
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

// toFile moves the stored part to a file.
func (s *Spool) toFile() error {
	file, err := os.CreateTemp("", "ticketgate-body-") // created with mode 0600
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

// notKept returns the error for a body that could not be stored, for example because the folder for temporary files is
// full or not writable.
func notKept(err error) error {
	return domain.Unavailable(fmt.Errorf("keep a body of more than 1 MiB: %w", err))
}
