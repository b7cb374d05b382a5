package edge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// MaxBody is the size in bytes of the largest body of an ordinary request.
const MaxBody = 1 << 20

// ReadBody reads a body of at most limit bytes. A body that announces more is not read. A body of more than 64 KiB waits for its
// seller's share before the rest of it is read (LIMIT-28), and again once it has come in (LIMIT-16).
func ReadBody(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, TooLarge(limit)
	}
	if before, ok := r.Body.(*readBody); ok {
		return before.text, nil
	}
	gate := gateOf(r.Context())
	if r.ContentLength > MaxBody {
		return readLarge(r, gate, &incoming{}, limit)
	}
	read := incoming{}
	defer read.givePlaceBack()
	err := read.upTo(r, gate, min(limit, MaxBody))
	if _, more := errors.AsType[*http.MaxBytesError](err); more && limit > MaxBody {
		return readLarge(r, gate, &read, limit) // its size was not announced
	}
	if err == nil && read.text.Len() > smallBody {
		err = gate.medium(r.Context(), read.text.Len())
	}
	return read.text.Bytes(), readError(err, limit)
}

// readBody is a body that was read before: its request has the places that it needs, and must not wait for further ones.
type readBody struct {
	*bytes.Reader

	text []byte
}

// Close does nothing.
func (*readBody) Close() error { return nil }

// readLarge reads on from what was read of a body. The body is in a file until it is there in full: a sender who is slow takes no
// place in memory from others (LIMIT-16).
func readLarge(r *http.Request, gate *bodyGate, begin *incoming, limit int64) ([]byte, error) {
	gate.arrives()
	spool := NewSpool(r.Context(), io.MultiReader(bytes.NewReader(begin.text.Bytes()), r.Body), limit)
	spool.leave, begin.leave = begin.leave, nil
	defer func() { _ = spool.Close() }()
	arriving, err := spool.Open()
	if err == nil {
		_, err = io.Copy(io.Discard, arriving)
	}
	if err != nil {
		return nil, readError(err, limit)
	}
	if err := gate.large(r.Context(), int(spool.size)); err != nil {
		return nil, err
	}
	kept, err := spool.Open()
	if err != nil {
		return nil, err
	}
	body := make([]byte, spool.size)
	_, err = io.ReadFull(kept, body)
	return body, err
}

// incoming is what has come in of a body that is kept in memory.
type incoming struct {
	text bytes.Buffer
	// leave gives its place back. Nil before it has one.
	leave func()
}

// upTo reads a body. It fails beyond limit bytes with a *http.MaxBytesError, and has then read no more than that.
func (i *incoming) upTo(r *http.Request, gate *bodyGate, limit int64) error {
	const (
		spare = 512 // so that the end is noticed without another buffer
		first = 8 << 10
	)
	// What is announced costs its sender nothing: memory for it is taken when the first part has come.
	size := max(r.ContentLength, 0)
	i.text.Grow(int(min(size, first)) + spare)
	rest := io.LimitReader(r.Body, limit+1)
	read, err := i.text.ReadFrom(io.LimitReader(rest, smallBody))
	if err == nil && read == smallBody && size != smallBody {
		if i.leave, err = gate.come(r.Context(), ordinaryArrival); err != nil {
			return err
		}
		i.text.Grow(int(max(size-read, 0)) + spare)
		_, err = i.text.ReadFrom(rest)
	}
	if err == nil && int64(i.text.Len()) > limit {
		err = &http.MaxBytesError{Limit: limit}
	}
	return err
}

func (i *incoming) givePlaceBack() {
	if i.leave != nil {
		i.leave()
	}
}

// readError returns what a caller is told of a body that could not be read.
func readError(err error, limit int64) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return TooLarge(limit)
	}
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	if err != nil {
		return BrokenOff()
	}
	return nil
}

// TooLarge is the error of a body above the limit; it names the limit so that an import can be split.
func TooLarge(limit int64) *domain.Error {
	return domain.NewError(domain.CodePayloadTooLarge, fmt.Sprintf("The body must be at most %d bytes", limit))
}

// BrokenOff is the error of a body that could not be read to its end.
func BrokenOff() *domain.Error {
	return domain.NewError(domain.CodeInvalidRequest, "The body ended early or was sent too slowly")
}

// maxValues returns how many JSON values a body of a size may hold. An ordinary record has one in 25 bytes, and each costs up to
// two hundred bytes until its request has ended (LIMIT-16).
func maxValues(size int) int {
	const ordinary, large = 131_072, 500_000
	if size > MaxBody {
		return large
	}
	return ordinary
}

// ParseJSON parses a body strictly. Its error names each path that breaks a rule, or the place where the text stops
// being JSON; of the body it repeats only names of fields and single characters.
func ParseJSON(body []byte) (ecmajson.Value, error) {
	value, err := ecmajson.Parse(body, ecmajson.Limits{MaxValues: maxValues(len(body))})
	return value, refusedJSON(err, len(body))
}

// ParseElements is ParseJSON for a body that is an array whose elements are judged one by one (GATE-5). Any other body is an
// error.
func ParseElements(body []byte) ([]ecmajson.Element, error) {
	elements, err := ecmajson.ParseElements(body, ecmajson.Limits{MaxValues: maxValues(len(body))})
	if errors.Is(err, ecmajson.ErrNoArray) {
		return nil, domain.NewError(domain.CodeInvalidRequest, "The body must be one JSON array")
	}
	return elements, refusedJSON(err, len(body))
}

// refusedJSON is the error of a body of a size that can't be parsed.
func refusedJSON(err error, size int) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, ecmajson.ErrTooManyValues) {
		return domain.NewError(domain.CodePayloadTooLarge, fmt.Sprintf("The body must hold at most %d JSON values", maxValues(size)))
	}
	broken, ok := errors.AsType[ecmajson.Problems](err)
	if !ok {
		return domain.NewError(domain.CodeInvalidRequest, "The body is not valid JSON: "+err.Error())
	}
	var problems domain.Problems
	for _, problem := range broken {
		problems.Add(problem.Path, problem.Message)
	}
	return problems.Err()
}
