package moment

import (
	"cmp"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// DateTime is a time as it is written on the wire: in UTC, with exactly three fractional digits and Z (VALUE-2). It is
// truncated to the millisecond when read.
type DateTime struct{ time.Time }

// dateTimeLayout keeps trailing zeros, because some readers fail on `.12Z`.
const dateTimeLayout = "2006-01-02T15:04:05.000Z"

// The first and the last time that the wire form can express.
var (
	firstDateTime = time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastDateTime  = time.Date(9999, time.December, 31, 23, 59, 59, int(999*time.Millisecond), time.UTC)
)

// New returns t truncated to the millisecond and limited to the range of the wire form.
func New(t time.Time) DateTime {
	switch t = t.UTC().Truncate(time.Millisecond); {
	case t.Before(firstDateTime):
		t = firstDateTime
	case t.After(lastDateTime):
		t = lastDateTime
	}
	return DateTime{t}
}

var (
	dateTimePattern = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
	errNotDateTime  = Error("must be an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z")
)

// Parse parses any RFC 3339 date-time, with offsets and up to nine fractional digits (VALUE-2). A leap second at the
// end of a UTC day becomes the following second.
func Parse(text string) (DateTime, error) {
	text = strings.ToUpper(text) // RFC 3339 allows t and z
	if !dateTimePattern.MatchString(text) {
		return DateTime{}, errNotDateTime
	}
	plain, leap := text, text[17:19] == "60"
	if leap {
		plain = text[:17] + "59" + text[19:]
	}
	moment, err := time.Parse(time.RFC3339Nano, plain)
	if err != nil {
		return DateTime{}, errNotDateTime
	}
	moment = moment.UTC()
	if leap {
		if moment.Hour() != 23 || moment.Minute() != 59 {
			return DateTime{}, errNotDateTime
		}
		moment = moment.Add(time.Second)
	}
	if moment.Year() < 1 || moment.Year() > 9999 {
		return DateTime{}, Error("must be in the years 0001 to 9999 (UTC)")
	}
	return New(moment), nil
}

var (
	slotTimePattern = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d)(?::?(\d\d))?$`)
	errNotSlotTime  = Error("must be a date-time with an offset, such as 2026-11-27T20:37:00.120Z or 2026-11-27T21:37+01:00")
)

// ParseSlot parses what Parse does, and the forms of programs with time slots: without seconds, and with the basic
// offsets +0100 and +01 (IMPORT-5).
func ParseSlot(text string) (DateTime, error) {
	parts := slotTimePattern.FindStringSubmatch(strings.ToUpper(text))
	if len(parts) < 5 || (parts[3] == "Z" && parts[4] != "") {
		return DateTime{}, errNotSlotTime
	}
	offset := parts[3]
	if offset != "Z" {
		offset += ":" + cmp.Or(parts[4], "00")
	}
	moment, err := Parse(parts[1] + cmp.Or(parts[2], ":00") + offset)
	if err != nil {
		return DateTime{}, errNotSlotTime
	}
	return moment, nil
}

// String returns the wire form without quotes.
func (d DateTime) String() string { return d.UTC().Format(dateTimeLayout) }

// MarshalJSON writes the wire form.
func (d DateTime) MarshalJSON() ([]byte, error) {
	return d.Append(make([]byte, 0, len(dateTimeLayout)+2)), nil
}

// UnmarshalJSON parses a date-time string. Null leaves the value unchanged.
func (d *DateTime) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	text, err := strconv.Unquote(string(data))
	if err != nil {
		return errNotDateTime
	}
	parsed, err := Parse(text)
	if err == nil {
		*d = parsed
	}
	return err
}

// MarshalGQL writes the wire form as a GraphQL scalar.
func (d DateTime) MarshalGQL(w io.Writer) {
	_, _ = w.Write(d.Append(make([]byte, 0, len(dateTimeLayout)+2)))
}

// UnmarshalGQL parses a GraphQL literal or variable.
func (d *DateTime) UnmarshalGQL(v any) error {
	text, ok := v.(string)
	if !ok {
		return errNotDateTime
	}
	parsed, err := Parse(text)
	if err == nil {
		*d = parsed
	}
	return err
}
