package graph

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Sizes of what comes in, in bytes (decisions 1.7; hardening F2).
const (
	maxBody      = 1 << 20
	maxLargeBody = 16 << 20
	maxQuery     = 16 << 10
)

// readRequest reads a request of GraphQL over HTTP and says how long it was. Nothing of the body stands in an error but
// names of members and single characters.
func readRequest(w http.ResponseWriter, r *http.Request, limit int64) (*graphql.RawParams, int64, error) {
	data, err := readBody(w, r, limit)
	if err != nil {
		return nil, 0, err
	}
	body, err := ecmajson.Parse(data, ecmajson.Limits{})
	if err != nil {
		return nil, 0, badJSON(err)
	}
	params, err := requestOf(body)
	if err != nil {
		return nil, 0, err
	}
	params.Headers = r.Header
	return params, int64(len(data)), nil
}

// readBody reads at most limit bytes; a body that announces more is not read at all.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return nil, bodyTooLarge(limit)
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, bodyTooLarge(limit)
	case err != nil:
		return nil, domain.NewError(domain.CodeInvalidRequest, "The request body ended early or was sent too slowly")
	}
	return data, nil
}

// bodyTooLarge tells the limit: whoever splits an import needs the figure.
func bodyTooLarge(limit int64) error {
	return domain.NewError(domain.CodePayloadTooLarge, fmt.Sprintf("The body may have at most %d bytes", limit))
}

// badJSON tells what ecmajson refused: the place where the text stops being JSON, or each path that breaks a rule.
func badJSON(err error) error {
	var broken ecmajson.Problems
	if !errors.As(err, &broken) {
		return domain.NewError(domain.CodeInvalidRequest, "The body is not valid JSON: "+err.Error())
	}
	var problems domain.Problems
	for _, problem := range broken {
		problems.Add(problem.Path, problem.Message)
	}
	return invalidRequest(&problems)
}

// invalidRequest gives gathered problems the code of everything that is refused before execution (decisions 2.2).
func invalidRequest(problems *domain.Problems) error {
	err := problems.Err()
	if err == nil {
		return nil
	}
	refused := domain.AsError(err)
	refused.Code = domain.CodeInvalidRequest
	return refused
}

// requestOf takes the four members that a request has. Any other is refused, `QUERY` for `query` too: what one reader
// ignores another may obey (decisions 1.7).
func requestOf(body ecmajson.Value) (*graphql.RawParams, error) {
	switch body.Kind() {
	case ecmajson.Object:
	case ecmajson.Array:
		return nil, domain.NewError(domain.CodeInvalidRequest, "Send one operation a request: batches are not taken")
	default:
		return nil, domain.NewError(domain.CodeInvalidRequest, "The body must be a JSON object with the member query")
	}
	// All members are looked at before any is refused, so that a caller sees everything at once.
	var params graphql.RawParams
	var problems domain.Problems
	for _, member := range body.Members() {
		takeMember(&params, &problems, member)
	}
	if _, given := body.Member("query"); !given {
		problems.Add("query", "is missing")
	}
	if err := invalidRequest(&problems); err != nil {
		return nil, err
	}
	// Variables may be long; the text of the query is what parsing and validation pay for.
	if len(params.Query) > maxQuery {
		return nil, domain.NewError(domain.CodePayloadTooLarge,
			fmt.Sprintf("The query has %d bytes; at most %d are allowed", len(params.Query), maxQuery))
	}
	return &params, nil
}

// takeMember puts one member of the request where it belongs.
func takeMember(params *graphql.RawParams, problems *domain.Problems, member ecmajson.Member) {
	value := member.Value
	absent := value.Kind() == ecmajson.Null
	switch member.Name {
	case "query":
		params.Query = value.Text()
		expect(problems, member, ecmajson.String, false)
	case "operationName":
		params.OperationName = value.Text()
		expect(problems, member, ecmajson.String, absent)
	case "variables":
		params.Variables = membersOf(value)
		expect(problems, member, ecmajson.Object, absent)
	case "extensions":
		// Clients send tracing and persisted-query hashes here; neither is offered (hardening G15).
		expect(problems, member, ecmajson.Object, absent)
	default:
		problems.AddHint(domain.JoinPath("", member.Name), "is not a member of a GraphQL request",
			"The members are query, operationName, variables and extensions.")
	}
}

// expect notes a member of another kind; absent is a null where null means "no value".
func expect(problems *domain.Problems, member ecmajson.Member, kind ecmajson.Kind, absent bool) {
	if member.Value.Kind() != kind && !absent {
		problems.Add(member.Name, fmt.Sprintf("must be of kind %s, not %s", kind, member.Value.Kind()))
	}
}
