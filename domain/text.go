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

// Fold brings text to the form in which case no longer matters, in Unicode and whatever the database's locale
// is (decisions 3.4). It is stored beside the text in a column of its own and searched there.
func Fold(text string) string { return cases.Fold().String(text) }
