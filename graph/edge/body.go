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
// seller's share once it has come in (LIMIT-16).
func ReadBody(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, TooLarge(limit)
	}
	gate := gateOf(r.Context())
	if r.ContentLength > MaxBody {
		return readLarge(r, gate, nil, limit)
	}
	body, err := readUpTo(r, nil, min(limit, MaxBody))
	if _, more := errors.AsType[*http.MaxBytesError](err); more && limit > MaxBody {
		return readLarge(r, gate, body, limit) // its size was not announced
	}
	if err == nil && len(body) > smallBody {
		err = gate.medium(r.Context())
	}
	return body, readError(err, limit)
}

// readLarge reads on from what was read of a body. The body is in a file until it is there in full: a sender who is slow takes no
// place in memory from others (LIMIT-16).
func readLarge(r *http.Request, gate *bodyGate, begin []byte, limit int64) ([]byte, error) {
	gate.arrives()
	spool := NewSpool(r.Context(), io.MultiReader(bytes.NewReader(begin), r.Body), limit)
	defer func() { _ = spool.Close() }()
	arriving, err := spool.Open()
	if err == nil {
		_, err = io.Copy(io.Discard, arriving)
	}
	if err != nil {
		return nil, readError(err, limit)
	}
	if err := gate.large(r.Context()); err != nil {
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

// readUpTo reads what is left of a body. It fails beyond limit bytes
// with a *http.MaxBytesError, and has then read no more than that.
func readUpTo(r *http.Request, begin []byte, limit int64) ([]byte, error) {
	const spare = 512 // so that the end is noticed without another buffer
	size := max(r.ContentLength, 0)
	body := bytes.NewBuffer(make([]byte, 0, min(size, smallBody)+spare))
	body.Write(begin)
	rest := io.LimitReader(r.Body, limit-int64(len(begin))+1)
	// What is announced costs its sender nothing: memory for it is taken when the first part has come.
	read, err := body.ReadFrom(io.LimitReader(rest, smallBody))
	if err == nil && read == smallBody {
		body.Grow(int(max(size-read, 0)) + spare)
		var more int64
		more, err = body.ReadFrom(rest)
		read += more
	}
	if err == nil && int64(len(begin))+read > limit {
		err = &http.MaxBytesError{Limit: limit}
	}
	return body.Bytes(), err
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
