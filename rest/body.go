package rest

import (
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/graph/edge"
)

// readBody reads one JSON object. A missing body reads as an empty object, for POSTs without required fields (BODY-4).
func readBody(r *http.Request) (ecmajson.Value, error) {
	value, err := readJSON(r)
	if err == nil && value.Kind() != ecmajson.Object {
		err = domain.NewError(domain.CodeInvalidRequest, "The body must be one JSON object")
	}
	return value, err
}

// readJSON reads one JSON value. A missing body reads as an empty object.
func readJSON(r *http.Request) (ecmajson.Value, error) {
	raw, err := readText(r)
	if err != nil {
		return ecmajson.Value{}, err
	}
	return edge.ParseJSON(raw)
}

// readText reads the text of a JSON body. A missing body reads as an empty object.
func readText(r *http.Request) ([]byte, error) {
	raw, err := edge.ReadBody(r, edge.MaxBody)
	switch {
	case err != nil:
		return nil, err
	case len(raw) == 0:
		return []byte("{}"), nil
	case !edge.IsJSON(r.Header):
		return nil, domain.NewError(domain.CodeUnsupportedMediaType,
			"The body must be uncompressed JSON, sent with Content-Type: application/json")
	}
	return raw, nil
}
