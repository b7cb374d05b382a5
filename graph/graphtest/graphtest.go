// Package graphtest sends GraphQL documents in the tests of domain areas.
package graphtest

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
	"ticketgate/graph"
)

const systemToken = "0123456789-platform-token-of-this-test"

// API is the GraphQL API with some of its operations.
type API struct {
	T           testing.TB
	Credentials apikey.CredentialStore
	Resolver    *graph.Resolver
}

// Post sends a document as the platform, for a seller if one is given, and returns the status and body of the response.
// variables is a JSON object.
func (a API) Post(of ids.Seller, document, variables string) (status int, answer string) {
	a.T.Helper()
	authenticator := &apikey.Authenticator{
		Store: a.Credentials, SystemTokens: []secrets.Digest{secrets.DigestOf(systemToken)}, Now: time.Now,
	}
	body, err := json.Marshal(map[string]any{"query": document, "variables": json.RawMessage(variables)})
	if err != nil {
		a.T.Fatal(err)
	}
	request := httptest.NewRequestWithContext(a.T.Context(), http.MethodPost, "/graphql", strings.NewReader(string(body)))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+systemToken)
	if of != "" {
		request.Header.Set("X-Seller-Id", string(of))
	}
	recorder := httptest.NewRecorder()
	graph.NewHandler(a.Resolver, authenticator, slog.New(slog.DiscardHandler), false, graph.StreamBounds{}).ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

// Ask is Post without variables. It returns the body only.
func (a API) Ask(of ids.Seller, document string) (answer string) {
	a.T.Helper()
	_, answer = a.Post(of, document, "{}")
	return answer
}
