package edge

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// How long a request may take. Its wait for a database connection counts.
const (
	// OrdinaryBound is for every request that is not named below.
	OrdinaryBound = 10 * time.Second
	// SharingBound is for work that may wait for its seller's share first, with a body of up to 16 MiB.
	SharingBound = 2 * time.Minute
	// answerBound is how long the caller may take to read the response after that.
	answerBound = 30 * time.Second
	// ordinaryArrival is how long other bodies may take to come in, from when their head has come or their wait has ended.
	ordinaryArrival = 15 * time.Second
	// arrivalBound is how long a body of up to 16 MiB may take to come in.
	arrivalBound = time.Minute
	// progressBound is how long the sender of a file may pause.
	progressBound = 30 * time.Second
)

// WithTimeout gives the request's context a deadline.
func WithTimeout(next http.Handler, bound time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), bound)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// WithBound gives the work a deadline, and the connection a later one in place of the server's own, so that what was
// committed can still be answered. The body must have been read: its deadline is lifted, because the server goes on
// reading to notice a caller who leaves.
func WithBound(ctx context.Context, w http.ResponseWriter, bound time.Duration) (context.Context, context.CancelFunc) {
	control := http.NewResponseController(w)
	// Only a connection without deadlines fails here, and that is as good.
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Now().Add(bound + answerBound))
	return context.WithTimeout(ctx, bound)
}

// Unbounded lifts the server's deadline for the response, and after the body has been read also that for the body.
func Unbounded(w http.ResponseWriter, bodyRead bool) {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{})
	if bodyRead {
		_ = control.SetReadDeadline(time.Time{})
	}
}

// Whole is a body that lifts the server's deadline for it at its end: the server goes on reading, to notice a client that
// leaves, and the deadline must not end that.
type Whole struct {
	io.ReadCloser
	control *http.ResponseController
}

// NewWhole returns the request's body, whose deadline ends with it.
func NewWhole(w http.ResponseWriter, r *http.Request) *Whole {
	return &Whole{ReadCloser: r.Body, control: http.NewResponseController(w)}
}

// Read reads the body.
func (b *Whole) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Progress is a body of any length whose deadline moves on with each read.
type Progress struct {
	io.ReadCloser
	control *http.ResponseController
	broken  error
}

// NewProgress returns the request's body with a deadline that moves on.
func NewProgress(w http.ResponseWriter, r *http.Request) *Progress {
	return &Progress{ReadCloser: r.Body, control: http.NewResponseController(w)}
}

// Read reads what comes within the bound.
func (p *Progress) Read(into []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(progressBound))
	n, err := p.ReadCloser.Read(into)
	switch {
	case errors.Is(err, io.EOF):
		// The server goes on reading, to notice a client that leaves: the deadline must not end that.
		_ = p.control.SetReadDeadline(time.Time{})
	case err != nil:
		p.broken = BrokenOff()
		return n, p.broken
	}
	return n, err
}

// Broken returns why the body could not be read to its end; nil if it could.
func (p *Progress) Broken() error { return p.broken }
