package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Shorten truncates text for display to longest bytes, at a character boundary.
func Shorten(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	for longest > 0 && !utf8.RuneStart(text[longest]) {
		longest--
	}
	return text[:longest] + "…"
}

// Truncate truncates text to longest characters, the last of which is then an ellipsis.
func Truncate(text string, longest int) string {
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	return string([]rune(text)[:longest-1]) + "…"
}

// IsSpace reports whether r is Unicode white space or U+FEFF, which pasted text may start with.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// Trim removes white space from both ends. All text that people enter is stored trimmed (VALUE-5).
func Trim(text string) string { return strings.TrimFunc(text, IsSpace) }

// Fold returns the form in which text is compared (TEXT-1). It is case-folded in Unicode, independently of the
// database's locale. It is in NFC, so that an accented letter is the same however it was typed. It is stored in its own
// column and searched there.
func Fold(text string) string { return norm.NFC.String(cases.Fold().String(text)) }

// FoldEmail is Fold for email addresses. It folds letter by letter: Fold turns ß into ss, so two addresses would become
// one, and the owner of one would get the other's ticket.
func FoldEmail(email string) string { return norm.NFC.String(strings.Map(foldLetter, email)) }

// foldLetter returns the lower case of the first of all letters that differ from letter in case only.
func foldLetter(letter rune) rune {
	first := letter
	for other := unicode.SimpleFold(letter); other != letter; other = unicode.SimpleFold(other) {
		first = min(first, other)
	}
	if unicode.SimpleFold(letter) == letter {
		return letter // İ has no other case; its lower case would equal that of I
	}
	return unicode.ToLower(first)
}
