package texts

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsControl reports whether a character gives orders to a terminal or turns the text around it: the control characters C0,
// DEL and C1, the line and paragraph separators, and the bidirectional embeddings, overrides and isolates. No name holds one
// (LIMIT-10).
func IsControl(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		(r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069')
}

// Printable returns text with every character that is not shown as itself, and every invalid byte, as its escape, such as
// \u001b: what others have stored is harmless on a terminal and in a log (LIMIT-10). It stays one line. The two joiners stay
// as they are, since words and emoji are made with them.
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

// PrintableJSON returns JSON text with the same characters escaped as JSON escapes them. Outside of strings JSON has none but
// white space, which stays.
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

// appendEscape writes characters beyond 16 bits as the pair of surrogates that JSON has for them.
func appendEscape(shown *strings.Builder, r rune) {
	const pairs = 0x10000
	if r >= pairs {
		r -= pairs
		fmt.Fprintf(shown, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff)) //nolint:mnd // UTF-16
		return
	}
	fmt.Fprintf(shown, `\u%04x`, r)
}
