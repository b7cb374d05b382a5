package graph

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/graph/edge"
)

// maxErrors bounds the errors of one answer: a document that is wrong all over must not earn megabytes (hardening F2).
const maxErrors = 20

// The media types of a response.
const (
	plainMedia    = "application/json"
	responseMedia = "application/graphql-response+json"
)

// mediaOf chooses the media type of a response. application/graphql-response+json must be wanted more than
// application/json, or by name as much: clients that accept everything get what they always got (EDGE-6).
func mediaOf(header http.Header) string {
	response, plain := edge.Accepts(header, responseMedia), edge.Accepts(header, plainMedia)
	if response.Quality > plain.Quality || (response.Named && response.Quality > 0 && response.Quality == plain.Quality) {
		return responseMedia
	}
	return plainMedia
}

// writeAnswer writes the answer in one piece. The data is already JSON and goes out as it is: gqlgen's transport would
// read and print it once more, a fifth of the work for a long list. How many errors were left out is told in extensions.
func writeAnswer(w http.ResponseWriter, media string, status int, response *graphql.Response, omittedErrors int) {
	if omittedErrors > 0 {
		if response.Extensions == nil {
			response.Extensions = map[string]any{}
		}
		response.Extensions["omittedErrors"] = omittedErrors
	}
	// A document that was not executed has no data, not even null (GraphQL, "Response Format").
	body := printed(response, status == http.StatusOK)

	header := w.Header()
	header.Set("Content-Type", media+"; charset=utf-8")
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// A caller who went away can't be told about it.
	_, _ = w.Write(body) //nolint:gosec // JSON by its content type, not a page
}

// printed is a response as one line of JSON.
func printed(response *graphql.Response, executed bool) []byte {
	body := make([]byte, 0, len(response.Data)+256)
	body = append(body, '{')
	if len(response.Errors) > 0 {
		body = appendMember(body, "errors", response.Errors)
	}
	if executed {
		body = appendData(body, response.Data)
	}
	if len(response.Extensions) > 0 {
		body = appendMember(body, "extensions", response.Extensions)
	}
	return append(body, '}')
}

// appendData tells a null at the root as what it is.
func appendData(body []byte, data json.RawMessage) []byte {
	if len(data) == 0 {
		data = json.RawMessage("null")
	}
	return append(appendName(body, "data"), data...)
}

// appendMember prints a part that is small and made here.
func appendMember(body []byte, name string, value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		// Only an extension of ours with an unprintable value comes here; the endpoint's recover reports it.
		panic(err)
	}
	return append(appendName(body, name), text...)
}

// appendName puts the comma before every member but the first.
func appendName(body []byte, name string) []byte {
	if len(body) > 1 {
		body = append(body, ',')
	}
	return append(append(append(body, '"'), name...), '"', ':')
}
