package domain_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

func TestCursor(t *testing.T) {
	created := moment.New(time.Date(2026, 11, 27, 20, 37, 0, 0, time.UTC))
	for _, cursor := range []domain.Cursor{
		{ID: "6568f0a0c0ffee0123456789"},
		{ID: "customer|with a bar", CreatedAt: &created},
	} {
		got, err := domain.ParseCursor("tickets", cursor.Of("tickets"))
		if err != nil || got.ID != cursor.ID || (got.CreatedAt == nil) != (cursor.CreatedAt == nil) {
			t.Errorf("%+v becomes %+v, %v", cursor, got, err)
		}
		if foreign, err := domain.ParseCursor("events", cursor.Of("tickets")); err == nil {
			t.Errorf("%+v of another list is accepted as %+v", cursor, foreign)
		}
		for whole, end := cursor.Of("tickets"), 0; end < len(whole); end++ {
			if part, err := domain.ParseCursor("tickets", whole[:end]); err == nil {
				t.Errorf("%q is accepted as %+v", whole[:end], part)
			}
		}
	}
	for _, text := range []string{
		"", "?", "QQ", "6568f0a0c0ffee0123456789=",
		base64.RawURLEncoding.EncodeToString([]byte("6568f0a0c0ffee0123456789")), // without a checksum
		domain.Cursor{ID: "yesterday|id"}.Of("tickets"), domain.Cursor{ID: "a\x00b"}.Of("tickets"), domain.Cursor{ID: "a\xffb"}.Of("tickets"),
	} {
		if _, err := domain.ParseCursor("tickets", text); err == nil {
			t.Errorf("%q is accepted as a cursor", text)
		}
	}
}

func TestFirstAfter(t *testing.T) {
	for first, valid := range map[int]bool{-1: false, 0: true, 1000: true, 1001: false} {
		page, err := domain.FirstAfter("tickets", &first, nil, domain.OldestFirst)
		if (err == nil) != valid || (valid && page.Limit != first) {
			t.Errorf("first %d: %+v, %v", first, page, err)
		}
	}
	if page, err := domain.FirstAfter("tickets", nil, nil, domain.NewestFirst); err != nil || page.Limit != 25 || page.Order != domain.NewestFirst {
		t.Errorf("without first: %+v, %v", page, err)
	}
	wrong, cursor := 1001, "yesterday"
	const want = "first must be an integer from 0 to 1000; after must be a cursor from an earlier page of this list"
	if _, err := domain.FirstAfter("tickets", &wrong, &cursor, domain.OldestFirst); err == nil || err.Error() != want {
		t.Errorf("both wrong: got %v, want %s", err, want)
	}
}

func TestPagingErrors(t *testing.T) {
	t.Run("prefixes nested faults with their path", func(t *testing.T) {
		var inner, outer domain.FieldErrors
		inner.Add("url", "is refused")
		inner.Add("[1].x", "is wrong")
		outer.Under("http", inner.Err())
		outer.Under("note", domain.NotFound("Note"))
		outer.Under("fine", nil)
		var paths []string
		for _, field := range domain.AsError(outer.Err()).Fields {
			paths = append(paths, field.Path)
		}
		if got := strings.Join(paths, " "); got != "http.url http[1].x note" {
			t.Errorf("paths %s", got)
		}
	})
	t.Run("shows three fields and counts the others", func(t *testing.T) {
		var errs domain.FieldErrors
		for _, path := range []string{"a", "b", "c", "d", "e"} {
			errs.Add(path, "is wrong")
		}
		if got := errs.Err().Error(); got != "a is wrong; b is wrong; c is wrong; and 2 more" {
			t.Error(got)
		}
	})
	t.Run("stops counting at 100 if bounded", func(t *testing.T) {
		for bounded, want := range map[bool]string{false: "and 102 more", true: "and 97 more"} {
			errs := domain.FieldErrors{Bounded: bounded}
			for range 105 {
				errs.Add("a", "is wrong")
			}
			if err := domain.AsError(errs.Err()); len(err.Fields) != 100 || !strings.HasSuffix(err.Message, want) {
				t.Errorf("bounded %v: %d fields, %s", bounded, len(err.Fields), err.Message)
			}
		}
	})
	t.Run("quotes names that are not identifiers", func(t *testing.T) {
		for name, want := range map[string]string{
			"fuel": "costs.fuel", "_é1": "costs._é1", "$": "costs.$", "1a": `costs["1a"]`, "spare parts": `costs["spare parts"]`, "": `costs[""]`,
			strings.Repeat("é", 40): `costs["` + strings.Repeat("é", 32) + `…"]`,
		} {
			if got := domain.FieldPath("costs", name); got != want {
				t.Errorf("%q: got %s, want %s", name, got, want)
			}
		}
	})
	t.Run("trims names and requires 1 to 200 characters", func(t *testing.T) {
		for name, valid := range map[string]bool{
			"": false, " \t": false, " é ": true, strings.Repeat("é", 200): true, strings.Repeat("é", 201): false,
			"a\x00b": false, "a\xffb": false,
		} {
			var errs domain.FieldErrors
			errs.Name("name", name)
			if errs.Any() == valid {
				t.Errorf("%.20q: %v", name, errs.Err())
			}
		}
	})
}

func TestTopAndSkip(t *testing.T) {
	t.Parallel()
	given := func(number int) *int { return &number }
	for name, c := range map[string]struct {
		top, skip *int
		want      domain.Page
		says      string
	}{
		"neither":       {nil, nil, domain.Page{Limit: 25}, ""},
		"both":          {given(1000), given(7), domain.Page{Limit: 1000, Skip: 7}, ""},
		"top of 0":      {given(0), nil, domain.Page{}, "top must be an integer from 1 to 1000"},
		"top too large": {given(1001), nil, domain.Page{}, "top must be an integer from 1 to 1000"},
		"negative skip": {nil, given(-1), domain.Page{}, "skip must not be negative"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := domain.TopSkip(c.top, c.skip)
			if c.says == "" && (err != nil || page != c.want) {
				t.Errorf("%+v, %v, want %+v", page, err, c.want)
			}
			if c.says != "" && (err == nil || err.Error() != c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}
