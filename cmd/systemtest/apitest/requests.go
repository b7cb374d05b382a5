package apitest

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/optional"
	"ticketgate/rest/resttest"
)

// Finds executes a query that must succeed. Its data must start with want.
func (h *Server) Finds(t *testing.T, who Caller, query, want string) {
	t.Helper()
	if o := h.Execute(t, who, query, nil); !strings.HasPrefix(string(o.Body), `{"data":`+want) || o.Refusal.Code != "" {
		t.Errorf("%s\n%v, want %s", query, o, want)
	}
}

// From returns the caller as seen through a proxy, with the given address.
func (c Caller) From(address string) Caller {
	other := Caller{"X-Forwarded-For": address}
	maps.Copy(other, c)
	return other
}

// Response is an HTTP response. Waits is its Retry-After header.
type Response struct {
	Status      int
	Text, Waits string
}

// Send makes a request that the OpenAPI document does not describe.
func (h *Server) Send(t *testing.T, method, path, contentType, body string, headers ...string) Response {
	t.Helper()
	headers = append([]string{"Content-Type: " + contentType}, headers...)
	response, err := systemtest.Call(t.Context(), http.DefaultClient, method, h.URL+path, body, headers...)
	systemtest.Must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	systemtest.Must(t, err)
	return Response{response.StatusCode, string(text), response.Header.Get("Retry-After")}
}

// SendJSON is like Send, with a value as JSON.
func (h *Server) SendJSON(t *testing.T, method, path string, body any, headers ...string) Response {
	t.Helper()
	text, err := json.Marshal(body)
	systemtest.Must(t, err)
	return h.Send(t, method, path, "application/json", string(text), headers...)
}

// KeyWith creates a key of the seller that has only these permissions.
func (h *Server) KeyWith(t *testing.T, seller demo.Seller, permissions ...domain.Permission) Caller {
	t.Helper()
	key, err := h.Do.Keys.Create(h.ActingOn(t, seller), apikey.NewKey{Name: "Some", Permissions: optional.Some(permissions)})
	systemtest.Must(t, err)
	return Bearer(key.Secret)
}

// As returns a REST client that sends the headers of the caller.
func (h *Server) As(t *testing.T, who Caller) *resttest.Client {
	t.Helper()
	client := h.REST.In(t)
	for name, value := range who {
		client = client.With(name, value)
	}
	return client
}
