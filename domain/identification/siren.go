package identification

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"ticketgate/domain/countries"
	"ticketgate/domain/texts"
)

// fault describes the error of an identifier, with an optional hint. The zero value means that the identifier is valid.
type fault struct {
	message, hint string
	reason        Reason
}

// sirenDigits is the length of a SIREN.
const sirenDigits = 9

// Numbers that buyers enter instead of a SIREN, without spaces.
var (
	siretPattern = regexp.MustCompile(`^\d{14}$`)
	// vatPattern matches a French VAT number: two check characters and the SIREN, optionally preceded by the country.
	vatPattern = regexp.MustCompile(`^(?i)(FR[0-9A-Z]{2}|\d{2})\d{9}$`)
	// foreignPattern matches other VAT numbers: a country and up to twelve characters, at least one of them a digit.
	foreignPattern = regexp.MustCompile(`^(?i)([A-Z]{2})[0-9A-Z]{0,11}\d[0-9A-Z]{0,11}$`)
)

const (
	siretHint   = "The first nine digits of a SIRET are the SIREN"
	vatHint     = "The last nine digits of a French VAT number are the SIREN"
	foreignHint = "Companies outside France do not need a SIREN: send the country"
)

// readSIREN returns a SIREN without surrounding white space, or its fault (IDENT-5).
func readSIREN(text string) (string, fault) {
	number := texts.Trim(text)
	if wrong := otherNumber(withoutSpaces(number)); wrong.message != "" {
		return "", wrong
	}
	if strings.ContainsFunc(number, texts.IsSpace) {
		return "", fault{"must have nine digits: remove the spaces", "Write it like 732829320", SpacesInNumber}
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
			"does not pass the SIREN checksum: the check digit does not match the others", "Look for a mistyped digit", WrongCheckDigit,
		}
	}
	return number, fault{}
}

// otherNumber recognizes numbers that are mistaken for a SIREN and says where in them the SIREN is. Eleven digits count
// as a VAT number only if the last nine pass the checksum. Otherwise there are just too many digits.
func otherNumber(text string) fault {
	switch {
	case siretPattern.MatchString(text):
		return fault{"must have nine digits, not 14: the first nine digits of a SIRET are the SIREN", siretHint, WrongLength}
	case vatPattern.MatchString(text) && (notDigit(rune(text[0])) || passesLuhn(text[len(text)-sirenDigits:])):
		return fault{fmt.Sprintf("must have nine digits, not %d characters: "+
			"the last nine digits of a French VAT number are the SIREN", len(text)), vatHint, OtherCharacters}
	case isForeignVAT(text):
		return fault{"must have nine digits: a foreign VAT number is not a SIREN", foreignHint, OtherCharacters}
	}
	return fault{}
}

// isForeignVAT reports whether text looks like a foreign VAT number. It must start with an assigned country. Otherwise
// any word with a digit would match. Greece uses EL, Northern Ireland XI.
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

// passesLuhn reports whether the digits pass the Luhn checksum: every second digit from the right is doubled and replaced by
// its digit sum, and the total must be a multiple of ten.
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

// blank reports whether text is empty or only white space (IDENT-6).
func blank(text string) bool { return texts.Trim(text) == "" }
