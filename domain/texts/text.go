package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
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

// IsSpace is Unicode's white space, and U+FEFF, which pasted text may begin with (decisions 9.3).
func IsSpace(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// Trim takes white space off both ends of a text, as all texts that people type are stored (decisions 1.6).
func Trim(text string) string { return strings.TrimFunc(text, IsSpace) }

// Fold returns the form in which text is compared: without case, in Unicode and whatever the database's locale is, and in
// NFC, so that a letter with its accent is one text however it was typed (TEXT-1). It is stored beside the text in a column
// of its own and searched there.
func Fold(text string) string { return norm.NFC.String(cases.Fold().String(text)) }

// FoldEmail is Fold for email addresses. It folds letter by letter: where Fold makes two letters of one, such as ss of ß,
// two addresses would become one, and the holder of one would get the other's ticket.
func FoldEmail(email string) string { return norm.NFC.String(strings.Map(foldLetter, email)) }

// foldLetter is the lower case of the first of all letters that differ from this one in case alone.
func foldLetter(letter rune) rune {
	first := letter
	for other := unicode.SimpleFold(letter); other != letter; other = unicode.SimpleFold(other) {
		first = min(first, other)
	}
	if unicode.SimpleFold(letter) == letter {
		return letter // İ has no other case; its lower case would be that of I
	}
	return unicode.ToLower(first)
}
