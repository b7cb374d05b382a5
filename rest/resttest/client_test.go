package resttest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"ticketgate/rest/resttest"
)

// serve starts a server that has the document and passes all other requests to answer.
func serve(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	source := document(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-ID", "0123456789abcdef")
		if r.URL.Path == "/api/openapi.json" {
			_, _ = w.Write(source)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// overheard is a testing.TB that collects the failures reported by a Client instead of failing.
type overheard struct {
	testing.TB
	errors []string
}

func (o *overheard) Errorf(format string, args ...any) {
	o.errors = append(o.errors, fmt.Sprintf(format, args...))
}

func TestClientSendsTheGivenRequest(t *testing.T) {
	t.Parallel()
	var got http.Header
	var method, uri, body string
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got, method, uri, body = r.Header, r.Method, r.RequestURI, string(raw)
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, encode(t, notFound))
	})
	client := resttest.New(t, address)
	caller := client.As(sessionToken).With("X-Seller-Id", "s1")

	refusal := caller.Put("/api//keys/a%2Fb/?x=%20", json.RawMessage(`{ "active":false }`)).Refused(404, "NOT_FOUND")
	if refusal.Message != "API key not found" || refusal.RequestID != "0123456789abcdef" {
		t.Errorf("error: got %+v", refusal)
	}
	if method != "PUT" || uri != "/api//keys/a%2Fb/?x=%20" || body != `{ "active":false }` {
		t.Errorf("request: got %s %s %s", method, uri, body)
	}
	if got.Get("Authorization") != "Bearer "+sessionToken || got.Get("X-Seller-Id") != "s1" ||
		got.Get("Content-Type") != "application/json" {
		t.Errorf("headers: got %v", got)
	}

	client.Get("/api/keys").Want(404)
	if len(got.Values("Authorization"))+len(got.Values("X-Seller-Id"))+len(got.Values("Content-Type")) != 0 {
		t.Errorf("the first caller has the second's headers: %v", got)
	}
}

func TestClientReportsUndocumentedResponses(t *testing.T) {
	t.Parallel()
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			http.Redirect(w, r, "/api/keys/info", http.StatusTemporaryRedirect)
			return
		}
		_, _ = io.WriteString(w, encode(t, []any{apiKey.with("digest", "x")}))
	})
	heard := &overheard{TB: t}
	client := resttest.New(t, address).In(heard).As(sessionToken)
	client.Get("/api/keys").Want(200)
	client.Post("/api/keys", map[string]string{"name": "x"}).Want(307)
	if len(heard.errors) != 2 {
		t.Errorf("got %d reports, want one of an unknown field and one of a redirect: %q", len(heard.errors), heard.errors)
	}
}

func TestGolden(t *testing.T) {
	listed := apiKey.with("_id", "aaaaaaaaaaaaaaaaaaaaaaaa").with("lastUsedAt", "2026-01-02T03:04:05.678Z")
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, encode(t, []any{apiKey, listed, apiKey}))
	})
	t.Chdir(t.TempDir())
	write := func(name string) { resttest.New(t, address).As(sessionToken).Get("/api/keys").Golden(name) }

	t.Setenv("UPDATE_GOLDEN", "1")
	write("keys")
	t.Setenv("UPDATE_GOLDEN", "")
	write("keys")

	raw, err := os.ReadFile(filepath.Join("testdata", "golden", "keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Status int              `json:"status"`
		Body   []map[string]any `json:"body"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if file.Status != 200 || len(file.Body) != 3 {
		t.Fatalf("got %s", raw)
	}
	for i, want := range []string{"<id 1>", "<id 2>", "<id 1>"} {
		if file.Body[i]["_id"] != want {
			t.Errorf("id of key %d: got %v, want %s", i, file.Body[i]["_id"], want)
		}
	}
	if file.Body[1]["lastUsedAt"] != "<instant>" || file.Body[1]["hint"] != "<hint>" || file.Body[1]["name"] != "gate" {
		t.Errorf("got %v", file.Body[1])
	}

	heard := &overheard{TB: t}
	listed["name"] = "other"
	resttest.New(t, address).In(heard).As(sessionToken).Get("/api/keys").Golden("keys")
	if len(heard.errors) != 1 {
		t.Errorf("a changed response: got %d reports, want 1", len(heard.errors))
	}
}
