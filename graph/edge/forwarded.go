package edge

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// Forwarded is the body of a request that is sent on to another server.
type Forwarded struct {
	// Whole is the complete body. It is empty if there is a Stream.
	Whole []byte
	// Stream is a body of more than MaxBody bytes. Its sender must keep sending.
	Stream io.Reader

	leave    func()
	progress *Progress
}

// Complete reports whether the caller has sent the whole body.
func (f *Forwarded) Complete() bool { return f.progress == nil || f.progress.complete.Load() }

// Forward receives a body of at most MaxBody bytes within 15 s. From 64 KiB on, it waits for a slot of the caller's address
// (LIMIT-30). The caller must release the body.
func (b *Bodies) Forward(w http.ResponseWriter, r *http.Request) (*Forwarded, error) {
	switch {
	case r.Body == nil || r.Body == http.NoBody:
		return &Forwarded{}, nil
	case r.ContentLength > MaxBody:
		progress := NewProgress(w, r)
		return &Forwarded{Stream: progress, progress: progress}, nil
	}
	gate, read := &bodyGate{bodies: b, control: http.NewResponseController(w)}, &incoming{}
	gate.starts()
	err := read.upTo(r, gate, MaxBody)
	received := &Forwarded{leave: sync.OnceFunc(read.givePlaceBack)}
	if _, more := errors.AsType[*http.MaxBytesError](err); more { // its size was not announced
		received.progress = NewProgress(w, r)
		received.Stream = io.MultiReader(&read.text, ending(received.leave), received.progress)
		return received, nil
	}
	if err != nil {
		received.leave()
		return nil, readError(err, MaxBody)
	}
	_ = gate.control.SetReadDeadline(time.Time{}) // the server keeps reading to detect a client that disconnects
	received.Whole = read.text.Bytes()
	return received, nil
}

// Release frees the memory and the slot. It can be called again.
func (f *Forwarded) Release() {
	f.Whole = nil
	if f.leave != nil {
		f.leave()
	}
}

// ending is an empty reader that calls itself when it is read.
type ending func()

// Read returns io.EOF.
func (e ending) Read([]byte) (int, error) {
	e()
	return 0, io.EOF
}
