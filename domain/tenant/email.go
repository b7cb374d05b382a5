package tenant

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ticketgate/domain"
)

// The longest e-mail and its parts, in bytes (RFC 5321, 4.5.3.1).
const (
	longestEmail     = 254
	longestLocalPart = 64
	longestLabel     = 63
)

// email returns an address trimmed, and notes it when it is none. The rule is what browsers accept in an e-mail field,
// with letters of every script: whether the mailbox exists, only a message to it can tell.
func email(problems *domain.Problems, address string) string {
	address = strings.TrimSpace(address)
	if !validEmail(address) {
		problems.Add("email", "must be an e-mail address such as name@example.com")
	}
	return address
}

func validEmail(address string) bool {
	at := strings.LastIndexByte(address, '@')
	if at < 1 || at > longestLocalPart || len(address) > longestEmail || !utf8.ValidString(address) {
		return false
	}
	for _, c := range address[:at] {
		if !isAlphanumeric(c) && !strings.ContainsRune(".!#$%&'*+/=?^_`{|}~-", c) {
			return false
		}
	}
	for _, label := range strings.Split(address[at+1:], ".") {
		if !validLabel(label) {
			return false
		}
	}
	return true
}

func validLabel(label string) bool {
	if label == "" || len(label) > longestLabel || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	return !strings.ContainsFunc(label, func(c rune) bool { return !isAlphanumeric(c) && c != '-' })
}

func isAlphanumeric(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c)
}
