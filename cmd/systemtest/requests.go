package systemtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Decoded returns the value of a JSON text. Numbers are kept as they are written.
func Decoded(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	Must(t, decoder.Decode(&value))
	return value
}

// Request makes one call to a server. Each header has the form `Name: value`.
func Request(t *testing.T, method, url, body string, header ...string) (int, string) {
	t.Helper()
	status, text, err := TryRequest(t.Context(), http.DefaultClient, method, url, body, header...)
	if err != nil {
		t.Fatal(err)
	}
	return status, text
}

// TryRequest is like Request, for calls that may fail.
func TryRequest(ctx context.Context, client *http.Client, method, url, body string, header ...string) (int, string, error) {
	answer, err := Call(ctx, client, method, url, body, header...)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}

// Call is like TryRequest, but returns the response, whose body the caller must close.
func Call(ctx context.Context, client *http.Client, method, url, body string, header ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	return client.Do(r)
}

// Field returns the field of a JSON object at a path such as `data.login.token`.
func Field(t *testing.T, text, path string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	found, ok := value.(string)
	if !ok {
		t.Fatalf("no %s in %s", path, text)
	}
	return found
}

// GraphQL executes a document with a token and returns the response, which must contain no errors.
func GraphQL(t *testing.T, url, token, document string, variables any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	var header []string
	if token != "" {
		header = append(header, "Authorization: Bearer "+token)
	}
	status, text := Request(t, http.MethodPost, url+"/graphql", string(body), header...)
	if status != http.StatusOK || strings.Contains(text, `"errors"`) {
		t.Fatalf("%s: %d %s", document, status, text)
	}
	return text
}

// AsKey returns the header that authenticates a call with an API key.
func AsKey(key string) string { return "Authorization: Bearer " + key }

// Printed returns a value as JSON.
func Printed(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	Must(t, err)
	return string(text)
}

// Login signs in a user and returns the session's token.
func Login(t *testing.T, url, email, password string) string {
	t.Helper()
	return Field(t, GraphQL(t, url, "", `mutation($input: LoginInput!) { login(input: $input) { token } }`,
		map[string]any{"input": map[string]any{"email": email, "password": password}}), "data.login.token")
}

// CodeOf returns the code of a one-time link.
func CodeOf(link string) string {
	_, code, _ := strings.Cut(link, "#")
	return code
}
