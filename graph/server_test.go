package graph_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/graph"
)

// server is an endpoint for the shop schema behind real HTTP, with access to its log.
type server struct {
	*httptest.Server
	log      bytes.Buffer
	endpoint *graph.Endpoint
	ticks    chan string
}

func serve(t *testing.T, kind domain.ActorKind, extensions ...graphql.HandlerExtension) *server {
	t.Helper()
	shop := newShop()
	s := &server{ticks: shop.ticks}
	s.endpoint = graph.NewEndpoint(shop, graph.Options{
		Log:     slog.New(slog.NewTextHandler(&s.log, nil)),
		Streams: graph.StreamBounds{Total: 100, PerSeller: 40, PerCredential: 20}, Extensions: extensions,
	})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := domain.WithActor(r.Context(), &domain.Actor{
			Kind: kind, ID: r.Header.Get("X-Caller"), FullSellerAccess: true,
			SellerID: ids.Seller(cmp.Or(r.Header.Get("X-Seller-Id"), "seller")), OrgID: ids.Org(r.Header.Get("X-Organization")),
		})
		s.endpoint.ServeHTTP(w, r.WithContext(domain.WithCall(ctx, domain.Call{RequestID: "req-1"})))
	}))
	t.Cleanup(s.Close)
	return s
}

// answer is a response, raw and decoded.
type answer struct {
	status int
	header http.Header
	text   string
	Errors []struct {
		Message    string
		Path       []any
		Locations  []struct{ Line, Column int }
		Extensions struct {
			Code, RequestID string
			RetryAfter      int
			Details         []domain.FieldError
		}
	}
	Data       map[string]any
	Extensions struct {
		Cost          graph.Cost
		OmittedErrors int
	}
}

// code returns the code of the first error.
func (a answer) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	return a.Errors[0].Extensions.Code
}

func (s *server) do(t *testing.T, request *http.Request) answer {
	t.Helper()
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{status: response.StatusCode, header: response.Header, text: string(text)}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatalf("%v in %.300s", err, text)
		}
	}
	return a
}

// post sends a raw body.
func (s *server) post(t *testing.T, body string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	return s.do(t, request)
}

// ask sends a document. variables is JSON text.
func (s *server) ask(t *testing.T, query string, variables ...string) answer {
	t.Helper()
	text, err := json.Marshal(query)
	if err != nil {
		t.Fatal(err)
	}
	body := `{"query":` + string(text)
	if len(variables) > 0 {
		body += `,"variables":` + variables[0]
	}
	return s.post(t, body+"}")
}

// refused fails the test unless the response is a single refusal with this status and code.
func refused(t *testing.T, got answer, status int, code domain.Code) {
	t.Helper()
	if got.status != status || got.code() != string(code) {
		t.Errorf("status %d %s, want %d %s: %.300s", got.status, got.code(), status, code, got.text)
	}
	if strings.Contains(got.text, `"data":`) {
		t.Errorf("a refusal has data: %.300s", got.text)
	}
}

// quoted returns text as JSON without repairing invalid UTF-8.
func quoted(text string) []byte {
	return ecmajson.AppendString(nil, text)
}
