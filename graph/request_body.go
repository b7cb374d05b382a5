package graph

import (
	"fmt"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/graph/edge"
)

// Maximum sizes of requests, in bytes.
const (
	maxLargeBody = 16 << 20
	maxQuery     = 16 << 10
)

// request is a GraphQL-over-HTTP request. Its variables are added to the params when their types are known.
type request struct {
	params    graphql.RawParams
	variables ecmajson.Value
	// size is the length of the body in bytes.
	size int64
}

// readRequest reads a request. Its errors quote nothing from the body except field names and single characters.
func readRequest(r *http.Request, limit int64) (*request, error) {
	if err := checkHead(r); err != nil {
		return nil, err
	}
	data, err := edge.ReadBody(r, limit)
	if err != nil {
		return nil, err
	}
	body, err := edge.ParseJSON(data)
	if err != nil {
		return nil, refusedBefore(err)
	}
	asked, err := requestOf(body)
	if err != nil {
		return nil, err
	}
	asked.params.Headers, asked.size = r.Header, int64(len(data))
	return asked, nil
}

// checkHead refuses requests by their headers. Only JSON is accepted, because another site can send forms, multipart and
// plain text with a user's cookie and without a preflight (GRAPH-21).
func checkHead(r *http.Request) error {
	if r.Method != http.MethodPost {
		return domain.NewError(domain.CodeMethodNotAllowed, "GraphQL requests must use POST")
	}
	if !edge.IsJSON(r.Header) {
		return domain.NewError(domain.CodeUnsupportedMediaType,
			"Send the request as uncompressed application/json in UTF-8")
	}
	return nil
}

// refusedBefore gives an error the code that all refusals before execution have.
func refusedBefore(err error) error {
	if err == nil {
		return nil
	}
	refused := domain.AsError(err)
	if refused.Code != domain.CodePayloadTooLarge {
		refused.Code = domain.CodeInvalidRequest
	}
	return refused
}

// requestFields maps the fields of a request to their kinds. Clients send tracing data and hashes of persisted queries
// in extensions. Neither is supported.
var requestFields = map[string]ecmajson.Kind{
	"query": ecmajson.String, "operationName": ecmajson.String, "variables": ecmajson.Object, "extensions": ecmajson.Object,
}

// requestOf decodes a request body. It refuses all other fields, such as `QUERY` for `query`: a field that one reader
// ignores could be obeyed by another.
func requestOf(body ecmajson.Value) (*request, error) {
	switch body.Kind() {
	case ecmajson.Object:
	case ecmajson.Array:
		return nil, domain.NewError(domain.CodeInvalidRequest, "Send one operation per request: batches are not supported")
	default:
		return nil, domain.NewError(domain.CodeInvalidRequest, "The body must be a JSON object with the field query")
	}
	query, given := body.Field("query")
	var errs domain.FieldErrors
	for _, field := range body.Fields() {
		want, known := requestFields[field.Name]
		switch got := field.Value.Kind(); {
		case !known:
			errs.AddHint(domain.JoinPath("", field.Name), domain.UnknownField,
				"The fields are query, operationName, variables, extensions")
		case got != want && (got != ecmajson.Null || field.Name == "query"):
			errs.Add(field.Name, "must be "+want.InWords()+", not "+got.InWords())
		}
	}
	if !given {
		errs.Add("query", "is required")
	}
	if err := refusedBefore(errs.Err()); err != nil {
		return nil, err
	}
	// Variables can be long, but parsing and validation cost depends on the query.
	if size := len(query.Text()); size > maxQuery {
		return nil, domain.NewError(domain.CodePayloadTooLarge,
			fmt.Sprintf("The query must be at most %d bytes, not %d", maxQuery, size))
	}
	name, _ := body.Field("operationName")
	variables, _ := body.Field("variables")
	return &request{params: graphql.RawParams{Query: query.Text(), OperationName: name.Text()}, variables: variables}, nil
}
