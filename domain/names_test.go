package domain_test

import (
	"strings"
	"testing"

	"ticketgate/domain"
)

func TestNamesHoldNoControlCharacters(t *testing.T) {
	t.Parallel()
	for _, control := range []rune{
		0x01, '\t', '\n', 0x1b, 0x1f, 0x7f, 0x80, 0x9b, 0x9f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069,
	} {
		var errs domain.FieldErrors
		errs.Name("name", "a"+string(control)+"b")
		if err := errs.Err(); err == nil || !strings.Contains(err.Error(), "must not contain control characters such as U+") {
			t.Errorf("%U: got %v", control, err)
		}
	}
	for _, name := range []string{"Café–Été “2026”", "العربية \u200fעברית", "👩\u200d👧", "a\u00a0b"} {
		var errs domain.FieldErrors
		if errs.Name("name", name); errs.Any() {
			t.Errorf("%q: got %v", name, errs.Err())
		}
	}
}

func TestErrorNamesAtMostHundredFields(t *testing.T) {
	t.Parallel()
	var errs domain.FieldErrors
	long := strings.Repeat("é", 500_000)
	path, message := "events["+long+"]", "is not known: "+long
	for range 30_000 {
		errs.Unknown(path, message, "scan.creatd", []string{"scan.created"}, "")
	}
	err := domain.AsError(errs.Err())
	if len(err.Fields) != 100 || !strings.HasSuffix(err.Message, "; and 29997 more") {
		t.Errorf("%d fields, %.100s", len(err.Fields), err.Message[max(0, len(err.Message)-100):])
	}
	if size := len(err.Message) + len(err.Fields[0].Path) + len(err.Fields[0].Message); size > 10_000 {
		t.Errorf("%d bytes", size)
	}
	if hint := err.Fields[99].Hint; hint != `Did you mean "scan.created"?` {
		t.Errorf("last shown field: got %q", hint)
	}
	if short := domain.NewError(domain.CodeInvalidRequest, long); len(short.Message) > 3000 {
		t.Errorf("a message of %d bytes", len(short.Message))
	}
}
