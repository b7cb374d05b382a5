package identification

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"ticketgate/domain/countries"
	"ticketgate/domain/texts"
)

// fault says what is wrong with an identifier, and perhaps how to put it right. The zero value finds nothing wrong.
type fault struct {
	message, hint string
	reason        Reason
}

// sirenDigits is the length of every SIREN (spec 8).
const sirenDigits = 9

// Numbers that companies have besides, by their text without spaces.
var (
	siretPattern = regexp.MustCompile(`^\d{14}$`)
	// vatPattern is a French VAT number: two check characters and the SIREN, with or without the country before them.
	vatPattern = regexp.MustCompile(`^(?i)(FR[0-9A-Z]{2}|\d{2})\d{9}$`)
	// foreignPattern is any other VAT number: a country and up to twelve characters with a digit among them.
	foreignPattern = regexp.MustCompile(`^(?i)([A-Z]{2})[0-9A-Z]{0,11}\d[0-9A-Z]{0,11}$`)
)

const (
	siretHint   = "The first nine digits of a SIRET are the SIREN"
	vatHint     = "The last nine digits of a French VAT number are the SIREN"
	foreignHint = "A company outside France needs no SIREN: send its country"
)

// readSIREN returns a SIREN without the white space around it, or what is wrong with it: nine digits from 0 to 9 that
// pass the checksum, with nothing between them (spec 4.5.7, decisions 9.3).
func readSIREN(text string) (string, fault) {
	number := texts.Trim(text)
	if wrong := otherNumber(withoutSpaces(number)); wrong.message != "" {
		return "", wrong
	}
	if strings.ContainsFunc(number, texts.IsSpace) {
		return "", fault{"must have nine digits with nothing between them: remove the spaces", "Write it like 732829320", SpacesInNumber}
	}
	if i := strings.IndexFunc(number, notDigit); i >= 0 {
		found, _ := utf8.DecodeRuneInString(number[i:])
		message := fmt.Sprintf("must have only the digits 0 to 9, not %q", string(found))
		return "", fault{message, "Write it like 732829320", OtherCharacters}
	}
	switch {
	case len(number) != sirenDigits:
		return "", fault{message: fmt.Sprintf("must have nine digits, not %d", len(number)), reason: WrongLength}
	case !passesLuhn(number):
		return "", fault{
			"does not pass the SIREN checksum: its check digit does not fit the others", "Look for a mistyped digit", WrongCheckDigit,
		}
	}
	return number, fault{}
}

// otherNumber knows the numbers that are taken for a SIREN, and says where in them it is (decisions 2.6). Eleven digits
// are a VAT number only when those at their end could be a SIREN: others are just too many.
func otherNumber(text string) fault {
	switch {
	case siretPattern.MatchString(text):
		return fault{"must have nine digits, not 14: the first nine digits of a SIRET are the SIREN", siretHint, WrongLength}
	case vatPattern.MatchString(text) && (notDigit(rune(text[0])) || passesLuhn(text[len(text)-sirenDigits:])):
		return fault{fmt.Sprintf("must have nine digits, not %d characters: "+
			"the last nine digits of a French VAT number are the SIREN", len(text)), vatHint, OtherCharacters}
	case isForeignVAT(text):
		return fault{"must have nine digits: a VAT number of another country is no SIREN", foreignHint, OtherCharacters}
	}
	return fault{}
}

// isForeignVAT asks for an assigned country, or a word with a digit in it would be a VAT number. Greece writes EL, and
// Northern Ireland XI.
func isForeignVAT(text string) bool {
	const shortest = len("RO12")
	found := foreignPattern.FindStringSubmatch(text)
	if found == nil || len(text) < shortest {
		return false
	}
	code, assigned := countries.Code(found[1])
	return code != "FR" && (assigned || code == "EL" || code == "XI")
}

func withoutSpaces(text string) string {
	return strings.Map(func(r rune) rune {
		if texts.IsSpace(r) {
			return -1
		}
		return r
	}, text)
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
func blank(text string) bool { return texts.Trim(text) == "" }
