package ecmajson

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError says where a text is not JSON, and what would be valid there.
type SyntaxError struct {
	// Offset counts bytes from 0. Line and Column count from 1, columns in characters.
	Offset, Line, Column int
	Message              string
}

// Error returns one clause that is safe to show to the sender.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// mistakes are common texts that are valid elsewhere but not in JSON.
var mistakes = []struct{ prefix, message string }{
	{"\uFEFF", "JSON is sent without a byte order mark"},
	{"//", "JSON has no comments"},
	{"/*", "JSON has no comments"},
	{"#", "JSON has no comments"},
	{"'", "JSON strings have double quotes"},
	{"NaN", "NaN is not a JSON value: send null or omit the field"},
	{"Infinity", "JSON has no infinity: send null or omit the field"},
	{"-Infinity", "JSON has no infinity: send null or omit the field"},
	{"undefined", "undefined is not a JSON value: send null or omit the field"},
	{"True", "true, false and null are written in lower case"},
	{"False", "true, false and null are written in lower case"},
	{"None", "the empty value of JSON is null"},
	{"+", "a JSON number has no plus sign"},
	{".", "a JSON number starts with a digit, as in 0.5"},
}

// unexpected returns an error that names the expected text at the current position.
func (p *parser) unexpected(wanted string) error {
	rest := p.text[p.pos:]
	if rest == "" {
		return p.syntaxError(p.pos, "the text ends where "+wanted+" is expected")
	}
	for _, mistake := range mistakes {
		if strings.HasPrefix(rest, mistake.prefix) {
			return p.syntaxError(p.pos, mistake.message)
		}
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return p.syntaxError(p.pos, fmt.Sprintf("%s is expected here, not %q", wanted, r))
}

// syntaxError counts lines and columns only now, because most texts have no error.
func (p *parser) syntaxError(offset int, message string) error {
	before := p.text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Offset:  offset,
		Line:    1 + strings.Count(before, "\n"),
		Column:  1 + utf8.RuneCountInString(before[start:]),
		Message: message,
	}
}
