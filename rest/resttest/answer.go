package resttest

import (
	"encoding/json"
	"net/http"
	"testing"
)

// Answer is what came back for one request; the document was already held against it.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte

	t     testing.TB
	names *placeholders
}

// Want fails the test at once unless the answer has the status.
func (a Answer) Want(status int) Answer {
	a.t.Helper()
	if a.Status != status {
		a.t.Fatalf("status: got %d, want %d\n%.2000s", a.Status, status, a.Body)
	}
	return a
}

// Error is what a test asks of an error.
type Error struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Code       string `json:"code"`
	Details    []struct {
		Path    string `json:"path"`
		Message string `json:"message"`
		Hint    string `json:"hint"`
	} `json:"details"`
	RequestID string `json:"requestId"`
}

// Refused fails the test at once unless the answer is an error with this status and code, and returns it.
func (a Answer) Refused(status int, code string) Error {
	a.t.Helper()
	var refusal Error
	a.Want(status).Into(&refusal)
	if refusal.Code != code {
		a.t.Fatalf("code: got %s, want %s\n%s", refusal.Code, code, a.Body)
	}
	return refusal
}

// Into decodes the body, and fails the test at once when the target can't take it.
func (a Answer) Into(target any) {
	a.t.Helper()
	if err := json.Unmarshal(a.Body, target); err != nil {
		a.t.Fatalf("%v\n%.2000s", err, a.Body)
	}
}

// Text returns one member of an object that is a string, and fails the test at once when there is none.
func (a Answer) Text(member string) string {
	a.t.Helper()
	var object map[string]any
	a.Into(&object)
	text, ok := object[member].(string)
	if !ok {
		a.t.Fatalf("%s is no string in %.2000s", member, a.Body)
	}
	return text
}
