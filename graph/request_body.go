package graph

import (
	"fmt"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/graph/edge"
)

// Sizes of what comes in, in bytes (decisions 1.7; hardening F2).
const (
	maxLargeBody = 16 << 20
	maxQuery     = 16 << 10
)

// request is a request of GraphQL over HTTP. Its variables become those of the params when their types are known.
type request struct {
	params    graphql.RawParams
	variables ecmajson.Value
	// size is the body's, in bytes.
	size int64
}

// readRequest reads a request. Errors repeat nothing of the body but names of members and single characters.
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

// checkHead refuses what can be told from the request's head. Forms, multipart and text are what a foreign page can send
// with a user's cookie and no preflight, so only JSON passes (hardening G14).
func checkHead(r *http.Request) error {
	if r.Method != http.MethodPost {
		return domain.NewError(domain.CodeMethodNotAllowed, "GraphQL takes POST only")
	}
	if !edge.IsJSON(r.Header) {
		return domain.NewError(domain.CodeUnsupportedMediaType,
			"Send the request as uncompressed application/json in UTF-8")
	}
	return nil
}

// refusedBefore gives an error the code of everything that is refused before execution (decisions 2.2).
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

// requestFields are the fields of a request and their kinds. Clients send tracing and hashes of persisted queries in extensions;
// neither is offered (hardening G15).
var requestFields = map[string]ecmajson.Kind{
	"query": ecmajson.String, "operationName": ecmajson.String, "variables": ecmajson.Object, "extensions": ecmajson.Object,
}

// requestOf returns the request that a body holds. Any other field is refused, `QUERY` for `query` too: what one reader ignores
// another may obey.
func requestOf(body ecmajson.Value) (*request, error) {
	switch body.Kind() {
	case ecmajson.Object:
	case ecmajson.Array:
		return nil, domain.NewError(domain.CodeInvalidRequest, "Send one operation a request: batches are not taken")
	default:
		return nil, domain.NewError(domain.CodeInvalidRequest, "The body must be a JSON object with the member query")
	}
	query, given := body.Member("query")
	var problems domain.Problems
	for _, field := range body.Members() {
		want, known := requestFields[field.Name]
		switch got := field.Value.Kind(); {
		case !known:
			problems.AddHint(domain.JoinPath("", field.Name), "is not a member of a GraphQL request",
				"The members are query, operationName, variables and extensions.")
		case got != want && (got != ecmajson.Null || field.Name == "query"):
			problems.Add(field.Name, fmt.Sprintf("must be of kind %s, not %s", want, got))
		}
	}
	if !given {
		problems.Add("query", "is missing")
	}
	if err := refusedBefore(problems.Err()); err != nil {
		return nil, err
	}
	// Variables may be long; the text of the query is what parsing and validation pay for.
	if size := len(query.Text()); size > maxQuery {
		return nil, domain.NewError(domain.CodePayloadTooLarge,
			fmt.Sprintf("The query has %d bytes; at most %d are allowed", size, maxQuery))
	}
	name, _ := body.Member("operationName")
	variables, _ := body.Member("variables")
	return &request{params: graphql.RawParams{Query: query.Text(), OperationName: name.Text()}, variables: variables}, nil
}
