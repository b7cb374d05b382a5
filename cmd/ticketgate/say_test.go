package main

import (
	"bytes"
	"errors"
	"testing"
)

func TestErrorsArePrintedOnOneLine(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	sayTof(&said, "%s\n", errors.New("a:\r\n\tb\tc\n\x1b]0;pwn\x07\u009b\r\u0085\u2028\v"))
	if want := `a: b c \u001b]0;pwn\u0007\u009b\u000d\u0085\u2028\u000b` + "\n"; said.String() != want {
		t.Errorf("got %q, want %q", said.String(), want)
	}
	said.Reset()
	(&shell{stderr: &said}).complain(errors.New("a:\r\n\tb\x1b\n\tc\td"))
	if want := "ticketgate: a:\nticketgate:  b\\u001b\nticketgate:  c d\n"; said.String() != want {
		t.Errorf("got %q, want %q", said.String(), want)
	}
}
