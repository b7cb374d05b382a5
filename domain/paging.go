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

// The bounds of a page (decisions 3.1, 3.5).
const (
	DefaultPageSize = 25
	MaxPageSize     = 1000
)

// ListOrder is the direction in which a list is read: that of creation, either way. Its zero value is OldestFirst, the
// only order of REST (decisions 3.2).
type ListOrder string

// The orders of a list.
const (
	OldestFirst ListOrder = "OLDEST_FIRST"
	NewestFirst ListOrder = "NEWEST_FIRST"
)

// Page says which part of a list is wanted: either the Limit rows after the cursor (GraphQL) or Limit rows
// from Skip on (REST).
type Page struct {
	Limit int
	Skip  int
	After *Cursor
	Order ListOrder
	// Total says that the total will be asked for: a list whose number of rows is kept reads it with the page.
	Total bool
}

// Cursor is the position of a row in its list: a key, never an offset, so that rows written in between neither
// repeat nor hide others. CreatedAt is set only where a list is ordered by it (imported records).
type Cursor struct {
	CreatedAt *moment.DateTime
	ID        string
}

const cursorSeparator = "|"

// NotACursor is what is wrong with a cursor that the list has not handed out.
const NotACursor = "must be a cursor from an earlier page of this list"

// Of is the opaque form handed to clients of a list. Its checksum tells one that lost a part, or is of another list, from
// another place in the list.
func (c Cursor) Of(list string) string {
	text := c.ID
	if c.CreatedAt != nil {
		text = c.CreatedAt.String() + cursorSeparator + c.ID
	}
	return base64.RawURLEncoding.EncodeToString(checked(list, []byte(text)))
}

// checked is a place with the checksum of the list's name and itself behind it.
func checked(list string, place []byte) []byte {
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(list+cursorSeparator)), crc32.IEEETable, place)
	return binary.BigEndian.AppendUint32(slices.Clone(place), sum)
}

// ParseCursor reads a cursor that the list has handed out.
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

// FirstAfter is the page of a GraphQL connection: first 0 to 1000, 25 when not given (decisions 3.5). A cursor is a place
// of the list in either order: after it comes what is newer, or what is older.
func FirstAfter(list string, first *int, after *string, order ListOrder) (Page, error) {
	page := Page{Limit: DefaultPageSize, Order: order}
	var problems Problems
	if first != nil {
		page.Limit = *first
	}
	if page.Limit < 0 || page.Limit > MaxPageSize {
		problems.Add("first", fmt.Sprintf("must be an integer from 0 to %d", MaxPageSize))
	}
	if after != nil {
		cursor, err := ParseCursor(list, *after)
		problems.Under("", err)
		page.After = &cursor
	}
	return page, problems.Err()
}

// TopSkip is the page of a REST list: top 1 to 1000, 25 when not given (decisions 3.1).
func TopSkip(top, skip *int) (Page, error) {
	page := Page{Limit: DefaultPageSize}
	var problems Problems
	if top != nil {
		page.Limit = *top
		if *top < 1 || *top > MaxPageSize {
			problems.Add("top", fmt.Sprintf("must be an integer from 1 to %d", MaxPageSize))
		}
	}
	if skip != nil {
		page.Skip = *skip
		if *skip < 0 {
			problems.Add("skip", "must be an integer of at least 0")
		}
	}
	return page, problems.Err()
}

// List is one page of rows. Total counts all rows that match, and asks the database only when called.
type List[T any] struct {
	Items   []T
	HasMore bool
	Total   func(ctx context.Context) (int, error)
}
