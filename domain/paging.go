package domain

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"unicode/utf8"

	"ticketgate/domain/moment"
)

// The bounds of a page.
const (
	DefaultPageSize = 25
	MaxPageSize     = 1000
)

// ListOrder is the order of a list by creation. OldestFirst is the default, and the only order in REST (LIST-2).
type ListOrder string

// The orders of a list.
const (
	OldestFirst ListOrder = "OLDEST_FIRST"
	NewestFirst ListOrder = "NEWEST_FIRST"
)

// Page selects part of a list: the Limit rows after a cursor (GraphQL) or from Skip on (REST).
type Page struct {
	Limit int
	Skip  int
	After *Cursor
	Order ListOrder
	// Total announces that the total will be needed. A list with a stored count then reads it with the page.
	Total bool
}

// Cursor is the position of a row in its list. It is a key instead of an offset, so rows written in between neither
// repeat nor hide others. CreatedAt is set only in lists that are ordered by it (imported records).
type Cursor struct {
	CreatedAt *moment.DateTime
	ID        string
}

const cursorSeparator = "|"

// NotACursor is the message for a cursor that the list did not return.
const NotACursor = "must be a cursor from an earlier page of this list"

// Of returns the opaque form of the cursor for clients of a list. Its checksum detects truncated cursors and cursors of
// another list.
func (c Cursor) Of(list string) string {
	text := c.ID
	if c.CreatedAt != nil {
		text = c.CreatedAt.String() + cursorSeparator + c.ID
	}
	return base64.RawURLEncoding.EncodeToString(checked(list, []byte(text)))
}

// checked appends the checksum of the list's name and place to place.
func checked(list string, place []byte) []byte {
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(list+cursorSeparator)), crc32.IEEETable, place)
	return binary.BigEndian.AppendUint32(slices.Clone(place), sum)
}

// ParseCursor parses a cursor that the list returned earlier.
func ParseCursor(list, text string) (Cursor, error) {
	invalid := Invalid("after", NotACursor)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	place := raw[:max(0, len(raw)-crc32.Size)]
	if err != nil || len(place) == 0 || !bytes.Equal(checked(list, place), raw) || !utf8.Valid(place) || bytes.IndexByte(place, 0) >= 0 {
		return Cursor{}, invalid
	}
	when, id, ordered := strings.Cut(string(place), cursorSeparator)
	if !ordered {
		return Cursor{ID: when}, nil
	}
	created, err := moment.Parse(when)
	if err != nil || id == "" {
		return Cursor{}, invalid
	}
	return Cursor{CreatedAt: &created, ID: id}, nil
}

// FirstAfter returns the page of a GraphQL connection (LIST-1). A cursor is a position in both orders. The page after
// it holds newer rows or older ones.
func FirstAfter(list string, first *int, after *string, order ListOrder) (Page, error) {
	page := Page{Limit: DefaultPageSize, Order: order}
	var errs FieldErrors
	if first != nil {
		page.Limit = *first
	}
	if page.Limit < 0 || page.Limit > MaxPageSize {
		errs.Add("first", fmt.Sprintf("must be an integer from 0 to %d", MaxPageSize))
	}
	if after != nil {
		cursor, err := ParseCursor(list, *after)
		errs.Under("", err)
		page.After = &cursor
	}
	return page, errs.Err()
}

// TopSkip returns the page of a REST list (LIST-1).
func TopSkip(top, skip *int) (Page, error) {
	page := Page{Limit: DefaultPageSize}
	var errs FieldErrors
	if top != nil {
		page.Limit = *top
		if *top < 1 || *top > MaxPageSize {
			errs.Add("top", fmt.Sprintf("must be an integer from 1 to %d", MaxPageSize))
		}
	}
	if skip != nil {
		page.Skip = *skip
		if *skip < 0 {
			errs.Add("skip", "must not be negative")
		}
	}
	return page, errs.Err()
}

// List is a page of rows. Total returns the number of all matching rows. It may query the database at each call.
type List[T any] struct {
	Items   []T
	HasMore bool
	Total   func(ctx context.Context) (int, error)
}
