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

// MaxBody is the maximum size of an ordinary request's body in bytes.
const MaxBody = 1 << 20

// MaxTokens is the maximum number of tokens of a GraphQL document (GRAPH-22). The tokens are limited first: validation time
// grows with the square of the number of fields, and stays below a tenth of a second for 1,000 tokens.
const MaxTokens = 1000

// ReadBody reads a body of at most limit bytes. A body that announces more is not read. A body of more than 64 KiB waits
// for its seller's share before the rest of it is read (LIMIT-28), and again once it has been received (LIMIT-16).
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

// readBody is a body that was read before. Its request has its slots already and must not wait for more.
type readBody struct {
	*bytes.Reader

	text []byte
}

// Close does nothing.
func (*readBody) Close() error { return nil }

// readLarge reads the rest of a body. The body stays in a file until it is complete, so that a slow sender takes no
// memory from others (LIMIT-16).
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

// incoming is the received part of a body that is kept in memory.
type incoming struct {
	text bytes.Buffer
	// leave releases the slot. It is nil before there is one.
	leave func()
}

// upTo reads a body. If the body has more than limit bytes, upTo stops there and returns a *http.MaxBytesError.
func (i *incoming) upTo(r *http.Request, gate *bodyGate, limit int64) error {
	const (
		spare = 512 // lets the end be noticed without another buffer
		first = 8 << 10
	)
	// An announced size costs the sender nothing, so memory is allocated only after the first part has arrived.
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

// readError returns the caller's error for a body that could not be read.
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

// TooLarge returns the error for a body above the limit. It names the limit, so that an import can be split.
func TooLarge(limit int64) *domain.Error {
	return domain.NewError(domain.CodePayloadTooLarge, fmt.Sprintf("The body must be at most %d bytes", limit))
}

// BrokenOff returns the error for a body that could not be read completely.
func BrokenOff() *domain.Error {
	return domain.NewError(domain.CodeInvalidRequest, "The body ended early or was sent too slowly")
}

// maxValues returns the maximum number of JSON values in a body of a size. An ordinary record has one value per 25
// bytes, and each value takes up to two hundred bytes until its request has ended (LIMIT-16).
func maxValues(size int) int {
	const ordinary, large = 131_072, 500_000
	if size > MaxBody {
		return large
	}
	return ordinary
}

// ParseJSON parses a body strictly. Its error lists each path that breaks a rule, or the position where the text is not
// JSON. It quotes only field names and single characters of the body.
func ParseJSON(body []byte) (ecmajson.Value, error) {
	value, err := ecmajson.Parse(body, ecmajson.Limits{MaxValues: maxValues(len(body))})
	return value, refusedJSON(err, len(body))
}

// ParseElements is ParseJSON for an array whose elements are validated one by one (GATE-5). Any other body is an error.
func ParseElements(body []byte) ([]ecmajson.Element, error) {
	elements, err := ecmajson.ParseElements(body, ecmajson.Limits{MaxValues: maxValues(len(body))})
	if errors.Is(err, ecmajson.ErrNoArray) {
		return nil, domain.NewError(domain.CodeInvalidRequest, "The body must be one JSON array")
	}
	return elements, refusedJSON(err, len(body))
}

// refusedJSON returns the error for a body that can't be parsed.
func refusedJSON(err error, size int) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, ecmajson.ErrTooManyValues) {
		return domain.NewError(domain.CodePayloadTooLarge, fmt.Sprintf("The body must have at most %d JSON values", maxValues(size)))
	}
	broken, ok := errors.AsType[ecmajson.Problems](err)
	if !ok {
		return domain.NewError(domain.CodeInvalidRequest, "The body is not valid JSON: "+err.Error())
	}
	var errs domain.FieldErrors
	for _, problem := range broken {
		errs.Add(problem.Path, problem.Message)
	}
	return errs.Err()
}
