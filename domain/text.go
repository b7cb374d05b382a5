package domain

import (
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// Shorten cuts text that is only shown, at a whole character.
func Shorten(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	for longest > 0 && !utf8.RuneStart(text[longest]) {
		longest--
	}
	return text[:longest] + "…"
}

// Truncate is a text as a log of limited width keeps it, in characters. One that was cut ends in an ellipsis.
func Truncate(text string, longest int) string {
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	return string([]rune(text)[:longest-1]) + "…"
}

// Fold brings text to the form in which case no longer matters, in Unicode and whatever the database's locale
// is (decisions 3.4). It is stored beside the text in a column of its own and searched there.
func Fold(text string) string { return cases.Fold().String(text) }
