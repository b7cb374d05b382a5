package resttest

import (
	"encoding/json"
	"net/http"
	"testing"
)

// Answer is the response to a request. It has already been checked against the document.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte

	t     testing.TB
	names *placeholders
}

// Want ends the test unless the response has the status.
func (a Answer) Want(status int) Answer {
	a.t.Helper()
	if a.Status != status {
		a.t.Fatalf("status: got %d, want %d\n%.2000s", a.Status, status, a.Body)
	}
	return a
}

// Error is the part of an error that tests check.
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

// Refused ends the test unless the response is an error with this status and code, and returns it.
func (a Answer) Refused(status int, code string) Error {
	a.t.Helper()
	var refusal Error
	a.Want(status).Into(&refusal)
	if refusal.Code != code {
		a.t.Fatalf("code: got %s, want %s\n%s", refusal.Code, code, a.Body)
	}
	return refusal
}

// Into decodes the body, and ends the test if the target can't hold it.
func (a Answer) Into(target any) {
	a.t.Helper()
	if err := json.Unmarshal(a.Body, target); err != nil {
		a.t.Fatalf("%v\n%.2000s", err, a.Body)
	}
}

// Text returns a string field of the body, and ends the test if there is none.
func (a Answer) Text(field string) string {
	a.t.Helper()
	var object map[string]any
	a.Into(&object)
	text, ok := object[field].(string)
	if !ok {
		a.t.Fatalf("%s is not a string in %.2000s", field, a.Body)
	}
	return text
}
