package apikey

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Expiry is the expiresAt of an update: a date-time, or a number of milliseconds since 1970. The surrounding optional
// value represents null.
type Expiry struct {
	moment.DateTime

	// number reports whether the value was sent as a number. See checkNumber.
	number bool
}

const errNotExpiry = moment.Error(
	"must be null, an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z or a number of milliseconds since 1970")

// UnmarshalJSON implements json.Unmarshaler.
func (e *Expiry) UnmarshalJSON(data []byte) (err error) {
	if len(data) > 0 && data[0] != '"' {
		*e, err = expiryOfNumber(string(data))
		return err
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return errNotExpiry
	}
	*e, err = expiryOfText(text)
	return err
}

// UnmarshalGQL reads a GraphQL literal or variable.
func (e *Expiry) UnmarshalGQL(v any) (err error) {
	switch v := v.(type) {
	case string:
		*e, err = expiryOfText(v)
	case json.Number:
		*e, err = expiryOfNumber(v.String())
	case int, int64, float64:
		*e, err = expiryOfNumber(fmt.Sprint(v))
	default:
		err = errNotExpiry
	}
	return err
}

func expiryOfText(text string) (Expiry, error) {
	when, err := moment.Parse(text)
	if err != nil {
		return Expiry{}, errNotExpiry
	}
	return Expiry{DateTime: when}, nil
}

// expiryOfNumber converts whole milliseconds, within the years that a date-time can express.
func expiryOfNumber(text string) (Expiry, error) {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return Expiry{}, errNotExpiry
	}
	when := time.UnixMilli(int64(number)).UTC()
	if when.Year() < 1 || when.Year() > 9999 {
		return Expiry{}, errNotExpiry
	}
	return Expiry{DateTime: moment.New(when), number: true}, nil
}

// latestExpiry returns the latest expiry that is allowed: the same date next year, or 1 March for 29 February.
func latestExpiry(now time.Time) time.Time { return now.UTC().AddDate(1, 0, 0) }

// tooFar adds an error if the expiry is more than one calendar year ahead (KEY-7).
func tooFar(errs *domain.FieldErrors, expiry moment.DateTime, now time.Time) {
	if expiry.After(latestExpiry(now)) {
		errs.Add("expiresAt", "must be at most one year ahead")
	}
}

// checkNumber rejects a number before the key's creation. It is most likely a number of seconds: read as milliseconds,
// it falls in January 1970 and would expire the key at once (BODY-20).
func (e Expiry) checkNumber(errs *domain.FieldErrors, created moment.DateTime) {
	if e.number && e.Before(created.Time) {
		errs.AddHint("expiresAt", "as a number must be in milliseconds since 1970 and not before the key was created",
			"Multiply seconds by 1000. To end the key now, send a date-time or set active to false")
	}
}

// MarshalGQL writes the expiry as a date-time.
func (e Expiry) MarshalGQL(w io.Writer) { e.DateTime.MarshalGQL(w) }
