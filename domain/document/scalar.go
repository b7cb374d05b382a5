package document

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ticketgate/domain/countries"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// The limits of an object with arbitrary content (VALUE-5).
const (
	MaxFreeBytes = 16 << 10
	MaxFreeDepth = 8
)

// Scalar returns the normal form of a value, and its fault as the message and hint of an error, or "". The value must
// have the JSON kind of the type. A free object counts as one value. Its content is not checked.
func (t *Type) Scalar(value ecmajson.Value) (normal ecmajson.Value, message, hint string) {
	switch t.Kind {
	case Any, Boolean, Decimal, Array, Map, Object:
	case Free:
		message = free(value)
	case Integer:
		if !isInteger(value.Number()) {
			message = "must be an integer" + outOfRange(value.Number())
		}
	case IntegerEnumeration:
		if !slices.Contains(t.Names, value.Number()) {
			message = "must be " + strings.Join(t.Names, " or ")
		}
	default:
		return t.text(value)
	}
	return value, message, ""
}

func free(value ecmajson.Value) (message string) {
	if depth := value.Depth(); depth > MaxFreeDepth {
		return fmt.Sprintf("is nested too deeply: at most %d levels are allowed, not %d", MaxFreeDepth, depth)
	}
	if size := len(value.Print()); size > MaxFreeBytes {
		return fmt.Sprintf("must be at most %d bytes of JSON, not %d", MaxFreeBytes, size)
	}
	return ""
}

// wholePattern matches the decimal form of every integer that a double represents exactly, and of some that are larger.
var wholePattern = regexp.MustCompile(`^-?\d{1,16}$`)

// safeDigits is 2^53-1, the largest integer that no other integer shares a double with.
const safeDigits = "9007199254740991"

func isInteger(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	return wholePattern.MatchString(number) && (len(digits) < len(safeDigits) || digits <= safeDigits)
}

// outOfRange returns the range to append to "must be an integer" if the number is an integer outside it, or "".
func outOfRange(number string) string {
	if !strings.Contains(number, "e+") && strings.ContainsAny(number, ".e") {
		return ""
	}
	return " from -" + safeDigits + " to " + safeDigits
}

// text is Scalar for kinds that are JSON strings.
func (t *Type) text(value ecmajson.Value) (normal ecmajson.Value, message, hint string) {
	text := value.Text()
	switch t.Kind { //nolint:exhaustive // the others have no form
	case DateTime:
		return dateTime(value, moment.Parse)
	case SlotTime:
		if texts.Trim(text) != "" { // some programs send an empty text for a missing slot
			return dateTime(value, moment.ParseSlot)
		}
		return value, "", ""
	case UUID:
		if !uuidPattern.MatchString(text) {
			message = "must be a UUID of 36 characters"
		}
		return value, message, ""
	case Email:
		if !texts.ValidEmail(text) {
			message = "must be an email address such as name@example.com"
		}
		return value, message, ""
	case Country:
		code, assigned := countries.Code(text)
		if !assigned {
			message, hint = "must be an ISO 3166-1 alpha-2 country code", "Germany is DE, the United Kingdom GB"
		}
		return ecmajson.NewString(code), message, hint
	case Enumeration:
		if !slices.Contains(t.Names, text) {
			message = "must be one of " + strings.Join(t.Names, ", ")
			if nearest, ok := texts.Nearest(text, t.Names); ok {
				hint = fmt.Sprintf("Did you mean %q?", nearest)
			}
		}
		return value, message, hint
	case CountryText:
		value = ecmajson.NewString(countries.Text(text))
	}
	return value, t.length(utf8.RuneCountInString(text)), ""
}

func (t *Type) length(length int) (message string) {
	switch {
	case length < t.Shortest:
		return "must not be empty"
	case length > t.Longest:
		return fmt.Sprintf("must be at most %d characters, not %d", t.Longest, length)
	}
	return ""
}

var uuidPattern = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// dateTime returns a time in its form on the wire.
func dateTime(
	value ecmajson.Value, parse func(string) (moment.DateTime, error),
) (normal ecmajson.Value, message, hint string) {
	when, err := parse(value.Text())
	if err != nil {
		return value, err.Error(), ""
	}
	return ecmajson.NewString(when.String()), "", ""
}
