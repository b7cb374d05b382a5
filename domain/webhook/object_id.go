package webhook

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"ticketgate/domain/ecmajson"
)

// maxObjectID is the maximum length of an id in a filter of deliveries, in characters.
const maxObjectID = 100

// ObjectID returns the _id of the resource in an event's data, or "" if it has none. Data is canonical JSON without
// spaces, {"resource":{…},…}, so ObjectID scans it without parsing.
func ObjectID(data []byte) string {
	const name = `"_id":"`
	for depth, i := 0, 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 1 {
				return "" // end of the resource
			}
		case '"':
			end := stringEnd(data, i)
			if depth == 2 && bytes.HasPrefix(data[i:], []byte(name)) {
				return plainText(data[i+len(name) : stringEnd(data, i+len(name)-1)])
			}
			i = end
		}
	}
	return ""
}

// stringEnd returns the position of the quote that closes the string opened at begin.
func stringEnd(data []byte, begin int) int {
	for i := begin + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(data)
}

// plainText decodes an id from its JSON form. It returns "" for an id that no filter accepts.
func plainText(written []byte) string {
	text := string(written)
	if bytes.IndexByte(written, '\\') >= 0 {
		value, err := ecmajson.Parse(slices.Concat([]byte{'"'}, written, []byte{'"'}), ecmajson.Limits{})
		if err != nil {
			return "" // a truncated escape, or NUL, which stored text can't contain
		}
		text = value.Text()
	}
	if utf8.RuneCountInString(text) > maxObjectID {
		return ""
	}
	return text
}
