package identification

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"ticketgate/domain"
)

// fault says what is wrong with an identifier, and perhaps how to put it right. The zero value finds nothing wrong.
type fault struct{ message, hint string }

// sirenDigits is the length of every SIREN (spec 8).
const sirenDigits = 9

const (
	siretHint = "The first nine digits of a SIRET are the SIREN"
	vatHint   = "The last nine digits of a French VAT number are the SIREN"
)

// vatPattern is a French VAT number: two check characters and the SIREN.
var vatPattern = regexp.MustCompile(`^(?i)FR[0-9A-Z]{2}\d{9}$`)

// readSIREN returns a SIREN without the white space around it, or what is wrong with it: nine digits from 0 to 9 that
// pass the checksum, with nothing between them (spec 4.5.7, decisions 9.3).
func readSIREN(text string) (string, fault) {
	number := domain.Trim(text)
	if strings.ContainsFunc(number, domain.IsSpace) {
		return "", fault{"must have nine digits with nothing between them: remove the spaces", "Write it like 732829320"}
	}
	if i := strings.IndexFunc(number, notDigit); i >= 0 {
		return "", notANumber(number, i)
	}
	switch {
	case len(number) == len("73282932000074"):
		return "", fault{"must have nine digits, not 14: the first nine digits of a SIRET are the SIREN", siretHint}
	case len(number) != sirenDigits:
		return "", fault{message: fmt.Sprintf("must have nine digits, not %d", len(number))}
	case !passesLuhn(number):
		return "", fault{"does not pass the SIREN checksum: its check digit does not fit the others", "Look for a mistyped digit"}
	}
	return number, fault{}
}

// notANumber names the character that stands where only digits may.
func notANumber(text string, at int) fault {
	found, _ := utf8.DecodeRuneInString(text[at:])
	wrong := fault{message: fmt.Sprintf("must have only the digits 0 to 9, not %q", string(found))}
	if vatPattern.MatchString(text) {
		wrong.hint = vatHint
	}
	return wrong
}

// passesLuhn tells whether the sum of the digits, every second one from the right doubled and its own digits added up,
// is a multiple of ten.
func passesLuhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		digit := int(digits[i] - '0')
		if (len(digits)-i)%2 == 0 {
			digit *= 2
		}
		sum += digit/10 + digit%10
	}
	return sum%10 == 0
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// blank tells that a text says nothing: it is empty or only white space (decisions 9.4).
func blank(text string) bool { return domain.Trim(text) == "" }
