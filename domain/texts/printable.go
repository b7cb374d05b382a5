package texts

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsControl reports whether a character controls a terminal or changes the direction of the text around it: the control
// characters C0, DEL and C1, the line and paragraph separators, and the bidirectional embeddings, overrides and
// isolates. Names must not contain any (LIMIT-10).
func IsControl(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		(r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069')
}

// Printable returns text on a single line, with an escape such as \u001b for every non-printable character and invalid
// byte, so that stored text is harmless on a terminal and in a log (LIMIT-10). The two joiners are kept, because words
// and emoji contain them.
func Printable(text string) string {
	if !strings.ContainsFunc(text, needsEscape) {
		return text
	}
	var shown strings.Builder
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&shown, `\x%02x`, text[i])
			continue
		}
		if needsEscape(r) {
			appendEscape(&shown, r)
			continue
		}
		shown.WriteRune(r)
	}
	return shown.String()
}

// PrintableJSON returns JSON text with the same characters escaped as in JSON strings. White space outside strings is
// kept.
func PrintableJSON(text []byte) []byte {
	needs := func(r rune) bool { return needsEscape(r) && !strings.ContainsRune("\n\r\t", r) }
	if !strings.ContainsFunc(string(text), needs) {
		return text
	}
	var shown strings.Builder
	for _, r := range string(text) {
		if needs(r) {
			appendEscape(&shown, r)
			continue
		}
		shown.WriteRune(r)
	}
	return []byte(shown.String())
}

func needsEscape(r rune) bool {
	const joiners = "\u200c\u200d"
	return r == utf8.RuneError || (!unicode.IsPrint(r) && !strings.ContainsRune(joiners, r))
}

// appendEscape writes a character beyond 16 bits as a surrogate pair, as JSON does.
func appendEscape(shown *strings.Builder, r rune) {
	const pairs = 0x10000
	if r >= pairs {
		r -= pairs
		fmt.Fprintf(shown, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff)) //nolint:mnd // UTF-16
		return
	}
	fmt.Fprintf(shown, `\u%04x`, r)
}
