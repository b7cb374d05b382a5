package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"ticketgate/domain/texts"
)

// lines is text of several lines. sayTof keeps its line breaks.
type lines string

// sayTof prints text for a person. It escapes unprintable characters in values, which callers may have stored
// (LIMIT-10). It ignores errors: that the terminal is closed does not undo the command.
func sayTof(to io.Writer, format string, values ...any) {
	for i, value := range values {
		values[i] = harmless(value)
	}
	_, _ = fmt.Fprintf(to, format, values...)
}

// harmless escapes the unprintable characters of a string, an error or a value of a string type. It returns all other
// values unchanged.
func harmless(value any) any {
	switch value := value.(type) {
	case lines:
		text := strings.Split(strings.ReplaceAll(string(value), "\r\n", "\n"), "\n")
		for i, line := range text {
			text[i] = printableLine(line)
		}
		return strings.Join(text, "\n")
	case error:
		return texts.Printable(unbroken(value.Error()))
	}
	if of := reflect.ValueOf(value); of.Kind() == reflect.String {
		return texts.Printable(of.String())
	}
	return value
}

var layout = regexp.MustCompile(`\r?\n\t*|\t`)

// unbroken replaces line breaks and tabs with spaces. pgx formats errors with them, and they would be printed as
// escapes. Other control characters are kept, to be escaped.
func unbroken(text string) string { return layout.ReplaceAllLiteralString(text, " ") }

// printableLine escapes the unprintable characters of a line except tabs, which indent texts of several lines.
func printableLine(line string) string {
	parts := strings.Split(line, "\t")
	for i, part := range parts {
		parts[i] = texts.Printable(part)
	}
	return strings.Join(parts, "\t")
}

// writeJSON prints a value as one line of JSON, escaped for terminals.
func writeJSON(to io.Writer, value any) error {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := to.Write(texts.PrintableJSON([]byte(text.String())))
	return err
}
