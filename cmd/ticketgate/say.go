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

// lines is text of several lines: sayTof keeps its line breaks.
type lines string

// sayTof prints for a person. It escapes unprintable characters in values, which callers may have stored (LIMIT-10). Write
// errors are ignored: a closed terminal does not undo what was done.
func sayTof(to io.Writer, format string, values ...any) {
	for i, value := range values {
		values[i] = harmless(value)
	}
	_, _ = fmt.Fprintf(to, format, values...)
}

// harmless returns a string, an error or a value of a string type with its unprintable characters escaped.
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

// unbroken returns the text of an error on one line. pgx formats its errors with line breaks and tabs, which would be printed
// as escapes; these become spaces. All other control characters stay, to be escaped.
func unbroken(text string) string { return layout.ReplaceAllLiteralString(text, " ") }

// printableLine keeps tabs, which indent texts of several lines.
func printableLine(line string) string {
	parts := strings.Split(line, "\t")
	for i, part := range parts {
		parts[i] = texts.Printable(part)
	}
	return strings.Join(parts, "\t")
}

// writeJSON prints one object on one line, escaped for terminals.
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
