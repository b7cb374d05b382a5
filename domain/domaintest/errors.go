package domaintest

import (
	"strings"
	"testing"

	"ticketgate/domain"
)

// Paths returns the paths that an error names, in order and separated by spaces.
func Paths(err error) string {
	if err == nil {
		return ""
	}
	fields := domain.AsError(err).Fields
	list := make([]string, 0, len(fields))
	for _, field := range fields {
		list = append(list, field.Path)
	}
	return strings.Join(list, " ")
}

// Code returns the code of an error, or "" for nil.
func Code(err error) domain.Code {
	if err == nil {
		return ""
	}
	return domain.AsError(err).Code
}

// HasCode fails the test unless the error has the code. The code "" expects no error.
func HasCode(t testing.TB, what string, err error, want domain.Code) {
	t.Helper()
	if Code(err) != want {
		t.Errorf("%s: got %v, want %s", what, err, want)
	}
}

// Refused fails the test unless the error has the code and names exactly these paths.
func Refused(t testing.TB, what string, err error, code domain.Code, paths ...string) {
	t.Helper()
	if got, want := Paths(err), strings.Join(paths, " "); !domain.HasCode(err, code) || got != want {
		t.Errorf("%s: got %v at %q, want %s at %q", what, err, got, code, want)
	}
}

// Must returns value and ends the test on an error: Must(f())(t).
func Must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err, domain.AsError(err).Fields)
		}
		return value
	}
}
