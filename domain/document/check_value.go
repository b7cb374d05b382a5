package document

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/countries"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// The limits of an object that holds what its sender likes (decisions 1.6).
const (
	MaxFreeBytes = 16 << 10
	MaxFreeDepth = 8
)

// value checks one value against its type and returns it in normal form.
func (c *Checker) value(path string, of Type, value ecmajson.Value) ecmajson.Value {
	switch of.Kind {
	case Any:
		return value
	case Free:
		c.free(path, value)
		return value
	case Boolean:
		if value.Kind() != ecmajson.Bool {
			c.wrongKind(path, "true or false", value)
		}
		return value
	case Decimal, Integer, IntegerEnumeration:
		c.number(path, of, value)
		return value
	case TextOrArray:
		return c.textOrArray(path, value)
	case Array:
		return c.array(path, of, value)
	case Map:
		return c.mapped(path, of, value)
	case Object:
		return c.Check(path, of.Object, value)
	case Text, ID, UUID, Email, Country, CountryText, DateTime, SlotTime, Enumeration:
	}
	return c.text(path, of, value)
}

func (c *Checker) free(path string, value ecmajson.Value) {
	switch {
	case value.Kind() != ecmajson.Object:
		c.wrongKind(path, "an object", value)
	case value.Depth() > MaxFreeDepth:
		c.Add(path, fmt.Sprintf("must be nested at most %d levels deep, not %d", MaxFreeDepth, value.Depth()))
	default:
		if size := len(value.Print()); size > MaxFreeBytes {
			c.Add(path, fmt.Sprintf("must be at most %d bytes of JSON, not %d", MaxFreeBytes, size))
		}
	}
}

// wholePattern is the print of an integer that a double counts exactly, and of some beyond.
var wholePattern = regexp.MustCompile(`^-?\d{1,16}$`)

// safeDigits is 2^53-1, the last integer that has no neighbour of the same double.
const safeDigits = "9007199254740991"

func isInteger(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	return wholePattern.MatchString(number) && (len(digits) < len(safeDigits) || digits <= safeDigits)
}

// outOfRange goes on behind "must be an integer" where that is what was sent.
func outOfRange(number string) string {
	if !strings.Contains(number, "e+") && strings.ContainsAny(number, ".e") {
		return ""
	}
	return " from -" + safeDigits + " to " + safeDigits
}

func (c *Checker) number(path string, of Type, value ecmajson.Value) {
	switch {
	case value.Kind() != ecmajson.Number && of.Kind == Decimal:
		c.wrongKind(path, "a number", value)
	case value.Kind() != ecmajson.Number:
		c.wrongKind(path, "an integer", value)
	case of.Kind == Integer && !isInteger(value.Number()):
		c.Add(path, "must be an integer"+outOfRange(value.Number()))
	case of.Kind == IntegerEnumeration && !slices.Contains(of.Names, value.Number()):
		c.Add(path, "must be "+strings.Join(of.Names, " or "))
	}
}

// text checks a string and returns it, date-times in the form of the wire.
func (c *Checker) text(path string, of Type, value ecmajson.Value) ecmajson.Value {
	text := value.Text()
	if value.Kind() != ecmajson.String {
		c.wrongKind(path, "a string", value)
		return value
	}
	switch of.Kind { //nolint:exhaustive // plain text has no form of its own
	case DateTime:
		return c.dateTime(path, value)
	case UUID:
		if !uuidPattern.MatchString(text) {
			c.Add(path, "must be a UUID of 36 characters")
		}
		return value
	case Email:
		if !texts.ValidEmail(text) {
			c.Add(path, "must be an e-mail address such as name@example.com")
		}
		return value
	case Country:
		code, assigned := countries.Code(text)
		if !assigned {
			c.AddHint(path, "must be an ISO 3166-1 alpha-2 country code", "Germany is DE, the United Kingdom GB")
		}
		return ecmajson.NewString(code)
	case SlotTime:
		return c.slotTime(path, value)
	case Enumeration:
		c.enumeration(path, of, text)
		return value
	}
	switch length := utf8.RuneCountInString(text); {
	case length < of.Shortest:
		c.Add(path, "must not be empty")
	case length > of.Longest:
		c.Add(path, fmt.Sprintf("must be at most %d characters, not %d", of.Longest, length))
	}
	if of.Kind == CountryText {
		return ecmajson.NewString(countries.Text(text))
	}
	return value
}

var uuidPattern = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func (c *Checker) dateTime(path string, value ecmajson.Value) ecmajson.Value {
	when, err := moment.Parse(value.Text())
	if err != nil {
		c.Add(path, err.Error())
		return value
	}
	return ecmajson.NewString(when.String())
}

// slotTime returns a slot's time in the form of the wire. Some programs write a slot that a ticket lacks as an empty text.
func (c *Checker) slotTime(path string, value ecmajson.Value) ecmajson.Value {
	if texts.Trim(value.Text()) == "" {
		return value
	}
	when, err := moment.ParseSlot(value.Text())
	if err != nil {
		c.Add(path, err.Error())
		return value
	}
	return ecmajson.NewString(when.String())
}

func (c *Checker) enumeration(path string, of Type, text string) {
	if slices.Contains(of.Names, text) {
		return
	}
	hint := ""
	if nearest, ok := c.nearest(text, of.Names); ok {
		hint = fmt.Sprintf("Did you mean %q?", nearest)
	}
	c.AddHint(path, "must be one of "+strings.Join(of.Names, ", "), hint)
}

func (c *Checker) array(path string, of Type, value ecmajson.Value) ecmajson.Value {
	if value.Kind() != ecmajson.Array {
		c.wrongKind(path, "an array", value)
		return value
	}
	checked := make([]ecmajson.Value, len(value.Elements()))
	for i, element := range value.Elements() {
		if c.Full() {
			return value
		}
		checked[i] = c.value(domain.IndexPath(path, i), *of.Element, element)
	}
	return ecmajson.NewArray(checked)
}

func (c *Checker) mapped(path string, of Type, value ecmajson.Value) ecmajson.Value {
	if value.Kind() != ecmajson.Object {
		c.wrongKind(path, "an object", value)
		return value
	}
	checked := make([]ecmajson.Member, 0, len(value.Members()))
	for _, member := range value.Members() {
		if c.Full() {
			return value
		}
		if member.Value.Kind() == ecmajson.Null && of.Element.Kind != Any { // no value (decisions 1.3)
			continue
		}
		sent := c.value(memberPath(path, member.Name), *of.Element, member.Value)
		checked = append(checked, ecmajson.Member{Name: member.Name, Value: sent})
	}
	return ecmajson.NewObject(checked)
}

func (c *Checker) textOrArray(path string, value ecmajson.Value) ecmajson.Value {
	plain := Type{Kind: ID, Longest: longestID, Shortest: 1}
	switch value.Kind() { //nolint:exhaustive // the other kinds are refused
	case ecmajson.String:
		return c.text(path, plain, value)
	case ecmajson.Array:
		return c.array(path, Type{Kind: Array, Element: &plain}, value)
	}
	c.wrongKind(path, "a string or an array of strings", value)
	return value
}
