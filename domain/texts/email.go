package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The maximum lengths of an email address and its parts, in bytes (RFC 5321, 4.5.3.1).
const (
	maxEmail     = 254
	maxLocalPart = 64
	maxLabel     = 63
)

// ValidEmail reports whether text is an email address. It accepts what browsers accept in an email field, with letters
// of every script. Whether the mailbox exists is not checked.
func ValidEmail(text string) bool {
	at := strings.LastIndexByte(text, '@')
	if at < 1 || at > maxLocalPart || len(text) > maxEmail || !utf8.ValidString(text) {
		return false
	}
	for _, c := range text[:at] {
		if !isAlphanumeric(c) && !strings.ContainsRune(".!#$%&'*+/=?^_`{|}~-", c) {
			return false
		}
	}
	for label := range strings.SplitSeq(text[at+1:], ".") {
		if !validLabel(label) {
			return false
		}
	}
	return true
}

func validLabel(label string) bool {
	if label == "" || len(label) > maxLabel || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	return !strings.ContainsFunc(label, func(c rune) bool { return !isAlphanumeric(c) && c != '-' })
}

func isAlphanumeric(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c)
}
