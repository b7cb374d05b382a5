package graph

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// The media types of a response.
const (
	plainMedia    = "application/json"
	responseMedia = "application/graphql-response+json"
)

// mediaOf returns the media type of a response. application/graphql-response+json must have a higher quality than
// application/json, or the same if it is named. Clients that accept everything keep getting application/json (EDGE-6).
func mediaOf(header http.Header) string {
	response, plain := edge.Accepts(header, responseMedia), edge.Accepts(header, plainMedia)
	if response.Quality > plain.Quality || (response.Named && response.Quality > 0 && response.Quality == plain.Quality) {
		return responseMedia
	}
	return plainMedia
}

// respond writes the single response of an executed document. gqlgen returns nil if the request's deadline has passed.
func (p presenter) respond(ctx context.Context, w http.ResponseWriter, r *http.Request, response *graphql.Response) {
	if response == nil {
		p.refuse(w, r, domain.Unavailable(context.Cause(ctx)))
		return
	}
	writeResponse(w, mediaOf(r.Header), executedStatus(w.Header(), response), response)
}

// refuse responds with an error before any document was read, in GraphQL's format and with REST's status.
func (p presenter) refuse(w http.ResponseWriter, r *http.Request, err error) {
	shown := p.known(r.Context(), err)
	status := edge.StatusOf(shown.Code)
	edge.SetRetryAfter(w.Header(), shown)
	if status == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
		w.Header().Set("Allow", http.MethodPost)
	}
	writeResponse(w, mediaOf(r.Header), status, &graphql.Response{Errors: gqlerror.List{p.present(r.Context(), shown)}})
}

// executedStatus returns 200, unless every root field failed temporarily. Then it returns REST's status and sets
// Retry-After, which tells clients and proxies to wait (GRAPH-3).
func executedStatus(header http.Header, response *graphql.Response) int {
	var longest int64
	for _, failed := range response.Errors {
		wait, waits := failed.Extensions["retryAfter"].(int64)
		if !waits {
			return http.StatusOK
		}
		longest = max(longest, wait)
	}
	if len(response.Errors) == 0 || !isEmpty(response.Data) {
		return http.StatusOK
	}
	header.Set("Retry-After", strconv.FormatInt(longest, 10))
	if cluster, ok := response.Errors[0].Extensions["cluster"].(string); ok {
		header.Set(edge.ClusterHeader, cluster)
	}
	return statusOf(response)
}

// isEmpty reports whether every root field of a response's data is null.
func isEmpty(data json.RawMessage) bool {
	var fields map[string]any
	if len(data) > 0 && json.Unmarshal(data, &fields) != nil {
		return false
	}
	for _, value := range fields {
		if value != nil {
			return false
		}
	}
	return true
}

// refusedStatus returns the status of a document that was not executed. GraphQL over HTTP requires a client error for
// its own media type. Clients of application/json expect 422 (EDGE-6).
func refusedStatus(media string, response *graphql.Response) int {
	if media != responseMedia || len(response.Errors) == 0 {
		return http.StatusUnprocessableEntity
	}
	return statusOf(response)
}

// statusOf returns the status of a response's first error.
func statusOf(response *graphql.Response) int {
	code, _ := response.Errors[0].Extensions["code"].(string)
	return edge.StatusOf(domain.Code(code))
}

// writeResponse writes a response in one piece. gqlgen's writer is not exported, and would parse and print the JSON data
// again, which takes a fifth of the time for a long list.
func writeResponse(w http.ResponseWriter, media string, status int, response *graphql.Response) {
	// A document that was not executed has no data field (GraphQL, "Response Format").
	body := printed(response, status == http.StatusOK)

	header := w.Header()
	header.Set("Content-Type", media+"; charset=utf-8")
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// A caller that has disconnected can't be informed.
	_, _ = w.Write(body)
}

// printed returns a response as one line of JSON.
func printed(response *graphql.Response, executed bool) []byte {
	body := append(make([]byte, 0, len(response.Data)+256), '{')
	if len(response.Errors) > 0 {
		body = appendField(body, "errors", marshaled(response.Errors))
	}
	switch {
	case executed && len(response.Data) == 0:
		body = appendField(body, "data", json.RawMessage("null"))
	case executed:
		body = appendField(body, "data", response.Data)
	}
	if len(response.Extensions) > 0 {
		body = appendField(body, "extensions", printedExtensions(response.Extensions))
	}
	return append(body, '}')
}

// printedExtensions returns the extensions as JSON. Most responses have the cost only.
func printedExtensions(extensions map[string]any) json.RawMessage {
	cost, known := extensions[costExtension].(Cost)
	if !known || len(extensions) > 1 {
		return marshaled(extensions)
	}
	text := strconv.AppendInt([]byte(`{"cost":{"requested":`), cost.Requested, 10)
	text = strconv.AppendInt(append(text, `,"limit":`...), cost.Limit, 10)
	return append(text, "}}"...)
}

// marshaled returns the JSON of a small value created by this package.
func marshaled(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		// Only an unprintable value in an extension of ours gets here. The transport's recover reports it.
		panic(err)
	}
	return text
}

// appendField appends a field to an object, preceded by a comma unless it is the first.
func appendField(object []byte, name string, value json.RawMessage) []byte {
	if len(object) > 1 {
		object = append(object, ',')
	}
	return append(append(append(append(object, '"'), name...), '"', ':'), value...)
}
