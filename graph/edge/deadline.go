package edge

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// Time limits of a request, including its wait for a database connection.
const (
	// OrdinaryBound applies to every request without another limit.
	OrdinaryBound = 10 * time.Second
	// SharingBound applies to work that may first wait for its seller's share, with a body of up to 16 MiB.
	SharingBound = 2 * time.Minute
	// answerBound is the additional time in which the caller must read the response.
	answerBound = 30 * time.Second
	// ordinaryArrival is the time for receiving any other body, after its header or after its wait.
	ordinaryArrival = 15 * time.Second
	// arrivalBound is the time for receiving a body of up to 16 MiB.
	arrivalBound = time.Minute
	// progressBound is the maximum pause of a file's sender.
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

// WithBound gives the work a deadline. It replaces the server's write deadline with a later one, so that the result of
// committed work can still be sent. The body must have been read: its deadline is removed, because the server keeps
// reading to detect a client that disconnects.
func WithBound(ctx context.Context, w http.ResponseWriter, bound time.Duration) (context.Context, context.CancelFunc) {
	control := http.NewResponseController(w)
	// This fails only for a connection without deadlines, which needs none.
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Now().Add(bound + answerBound))
	return context.WithTimeout(ctx, bound)
}

// Unbounded removes the server's deadline for the response and, if the body has been read, for the body.
func Unbounded(w http.ResponseWriter, bodyRead bool) {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{})
	if bodyRead {
		_ = control.SetReadDeadline(time.Time{})
	}
}

// Whole is a body that removes the server's read deadline at its end. The server keeps reading to detect a client that
// disconnects, and the deadline must not look like one.
type Whole struct {
	io.ReadCloser
	control *http.ResponseController
}

// NewWhole returns the request's body as a Whole.
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

// Progress is a body of any length whose deadline is extended with each read.
type Progress struct {
	io.ReadCloser
	control  *http.ResponseController
	broken   error
	complete atomic.Bool
}

// NewProgress returns the request's body with an extending deadline.
func NewProgress(w http.ResponseWriter, r *http.Request) *Progress {
	return &Progress{ReadCloser: r.Body, control: http.NewResponseController(w)}
}

// Read reads the data that arrives within progressBound.
func (p *Progress) Read(into []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(progressBound))
	n, err := p.ReadCloser.Read(into)
	switch {
	case errors.Is(err, io.EOF):
		p.complete.Store(true)
		// The server keeps reading to detect a client that disconnects; the deadline must not look like one.
		_ = p.control.SetReadDeadline(time.Time{})
	case err != nil:
		p.broken = BrokenOff()
		return n, p.broken
	}
	return n, err
}

// Broken returns the error that kept the body from being read completely, or nil.
func (p *Progress) Broken() error { return p.broken }
