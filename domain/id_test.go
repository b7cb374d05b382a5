package domain_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
)

func TestNewID(t *testing.T) {
	now := time.Date(2026, 11, 27, 20, 37, 0, 120_000_000, time.UTC)
	t.Run("begins with seconds and milliseconds", func(t *testing.T) {
		raw, err := hex.DecodeString(domain.NewID(now.Add(time.Hour)))
		if err != nil || len(raw) != 12 {
			t.Fatalf("%x, %v", raw, err)
		}
		seconds := int64(raw[0])<<24 | int64(raw[1])<<16 | int64(raw[2])<<8 | int64(raw[3])
		if want := now.Add(time.Hour).Unix(); seconds != want {
			t.Errorf("seconds %d, want %d", seconds, want)
		}
		if millisecond := int(raw[4])<<2 | int(raw[5])>>6; millisecond != 120 {
			t.Errorf("millisecond %d, want 120", millisecond)
		}
	})
	t.Run("ascends when the clock stands still or steps back", func(t *testing.T) {
		last := ""
		for i := range 10_000 {
			id := domain.NewID(now.Add(-time.Duration(i%7) * time.Hour))
			if id <= last {
				t.Fatalf("%s after %s", id, last)
			}
			last = id
		}
	})
	t.Run("is lower-case hexadecimal", func(t *testing.T) {
		if id := domain.NewID(now); strings.ToLower(id) != id || len(id) != 24 {
			t.Errorf("%q", id)
		}
	})
}

func TestDateTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-27T20:37:00Z":            "2026-11-27T20:37:00.000Z",
		"2026-11-27T20:37:00.12Z":         "2026-11-27T20:37:00.120Z",
		"2026-11-27T20:37:00.123999999Z":  "2026-11-27T20:37:00.123Z",
		"2026-11-27t20:37:00z":            "2026-11-27T20:37:00.000Z",
		"2026-11-27T20:37:00+14:00":       "2026-11-27T06:37:00.000Z",
		"2026-11-27T20:37:00-12:00":       "2026-11-28T08:37:00.000Z",
		"1969-12-31T23:59:59.9999Z":       "1969-12-31T23:59:59.999Z",
		"2016-12-31T23:59:60Z":            "2017-01-01T00:00:00.000Z",
		"9999-12-31T23:59:59.999Z":        "9999-12-31T23:59:59.999Z",
		"2026-11-27":                      "",
		"2026-11-27 20:37:00Z":            "",
		"2026-11-27T20:37:00":             "",
		"2026-11-27T24:00:00Z":            "",
		"2026-11-27T12:00:60Z":            "",
		"2027-02-30T00:00:00Z":            "",
		"2026-11-27T20:37:00.Z":           "",
		"2026-11-27T20:37:00,5Z":          "",
		"2026-11-27T20:37:00.1234567890Z": "",
		"2026-11-27T20:37:00+1:00":        "",
		"2026-11-27T20:37:00+25:00":       "",
		"2026-11-27T20:37:00+24:00":       "",
		"2026-11-27T20:37:00+01:60":       "",
		"0000-01-01T00:00:00Z":            "",
		"0001-01-01T00:00:00+01:00":       "",
		"9999-12-31T23:59:59-01:00":       "",
		"10000-01-01T00:00:00Z":           "",
		"-001-01-01T00:00:00Z":            "",
		"２０26-11-27T20:37:00Z":            "",
		"tomorrow":                        "",
		"":                                "",
	} {
		got, err := domain.ParseDateTime(text)
		if (err != nil) != (want == "") || (err == nil && got.String() != want) {
			t.Errorf("%q: %s, %v, want %q", text, got, err, want)
		}
	}
	for reckoned, want := range map[time.Time]string{
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC): "9999-12-31T23:59:59.999Z",
		time.Date(10000, 12, 30, 23, 0, 0, 0, time.UTC):            "9999-12-31T23:59:59.999Z",
		time.Date(0, 1, 2, 0, 0, 0, 0, time.UTC):                   "0001-01-01T00:00:00.000Z",
	} {
		if got := domain.NewDateTime(reckoned).String(); got != want {
			t.Errorf("%s is written as %s, want %s", reckoned, got, want)
		}
	}
	body, err := json.Marshal(domain.NewDateTime(time.Date(2026, 1, 2, 3, 4, 5, 6_999_999, time.UTC)))
	if err != nil || string(body) != `"2026-01-02T03:04:05.006Z"` {
		t.Errorf("JSON %s, %v", body, err)
	}
}

// IMPORT-5.
func TestSlotTimes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-11-29T09:27Z":              "2026-11-29T09:27:00.000Z",
		"2026-11-29t09:27z":              "2026-11-29T09:27:00.000Z",
		"2026-11-29T09:27:00+0000":       "2026-11-29T09:27:00.000Z",
		"2026-11-29T09:27+0530":          "2026-11-29T03:57:00.000Z",
		"2026-11-29T09:27:30.5-03":       "2026-11-29T12:27:30.500Z",
		"2026-11-29T09:27:30+01:00":      "2026-11-29T08:27:30.000Z",
		"2026-11-29T09:27:30.120456Z":    "2026-11-29T09:27:30.120Z",
		"2026-11-29T09:27":               "",
		"2026-11-29T09:27:00":            "",
		"2026-11-29T09Z":                 "",
		"2026-11-29 09:27Z":              "",
		"2026-11-29T09:27Z00":            "",
		"2026-11-29T09:27+1":             "",
		"2026-11-29T09:27+010":           "",
		"2026-11-29T09:27+2460":          "",
		"2026-11-31T09:27Z":              "",
		"20261129T0927Z":                 "",
		"noon":                           "",
		"":                               "",
		"2026-11-29T09:27:00.123Z\n":     "",
		"2026-11-29T09:27:00+01:00[UTC]": "",
	} {
		got, err := domain.ParseSlotTime(text)
		if (err == nil) != (want != "") || (err == nil && got.String() != want) {
			t.Errorf("%q: %s, %v; want %q", text, got, err, want)
		}
	}
	if _, err := domain.ParseDateTime("2026-11-29T09:27Z"); err == nil {
		t.Error("other date-times need seconds")
	}
}

func TestNewIDs(t *testing.T) {
	now := time.Date(2026, 11, 27, 20, 37, 0, 0, time.UTC)
	before := domain.NewID(now)
	seconds, first := domain.NewIDs(now, 1000)
	after := domain.NewID(now)
	begin, end := fmt.Sprintf("%08x%016x", seconds, first), fmt.Sprintf("%08x%016x", seconds, first+999)
	if before >= begin || begin >= end || end >= after {
		t.Errorf("%s, %s to %s, %s do not ascend", before, begin, end, after)
	}
}
