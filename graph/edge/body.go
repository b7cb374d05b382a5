package edge

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// MaxBody is the size in bytes of the largest body of an ordinary request.
const MaxBody = 1 << 20

// ReadBody reads a body of at most limit bytes. A body that announces more is not read.
func ReadBody(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, TooLarge(limit)
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, limit))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, TooLarge(limit)
	}
	if err != nil {
		return nil, BrokenOff()
	}
	return body, nil
}

// TooLarge is the error of a body above the limit; it names the limit so that an import can be split.
func TooLarge(limit int64) *domain.Error {
	return domain.NewError(domain.CodePayloadTooLarge, fmt.Sprintf("The body must be at most %d bytes", limit))
}

// BrokenOff is the error of a body that could not be read to its end.
func BrokenOff() *domain.Error {
	return domain.NewError(domain.CodeInvalidRequest, "The body ended early or was sent too slowly")
}

// ParseJSON parses a body strictly. Its error names each path that breaks a rule, or the place where the text stops
// being JSON; of the body it repeats only names of fields and single characters.
func ParseJSON(body []byte) (ecmajson.Value, error) {
	value, err := ecmajson.Parse(body, ecmajson.Limits{})
	if err == nil {
		return value, nil
	}
	broken, ok := errors.AsType[ecmajson.Problems](err)
	if !ok {
		return ecmajson.Value{}, domain.NewError(domain.CodeInvalidRequest, "The body is not valid JSON: "+err.Error())
	}
	var problems domain.Problems
	for _, problem := range broken {
		problems.Add(problem.Path, problem.Message)
	}
	return ecmajson.Value{}, problems.Err()
}
