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

// lines is a text of several lines: sayTof keeps its line ends.
type lines string

// sayTof prints for a person. Texts among the values are printed harmlessly, whoever has stored them (LIMIT-10). A reader that
// has gone is no failure of what was done.
func sayTof(to io.Writer, format string, values ...any) {
	for i, value := range values {
		values[i] = harmless(value)
	}
	_, _ = fmt.Fprintf(to, format, values...)
}

// harmless returns a text, an error or a text by any other name with its unprintable characters escaped.
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

// unbroken returns the text of an error on one line, with spaces: pgx lays its errors out with line ends and tabs, which would
// be printed as escapes. All other control characters stay, to be escaped.
func unbroken(text string) string { return layout.ReplaceAllLiteralString(text, " ") }

// printableLine keeps tabs, with which texts of several lines are indented.
func printableLine(line string) string {
	parts := strings.Split(line, "\t")
	for i, part := range parts {
		parts[i] = texts.Printable(part)
	}
	return strings.Join(parts, "\t")
}

// writeJSON prints one object on one line, for programs and for a terminal alike.
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
