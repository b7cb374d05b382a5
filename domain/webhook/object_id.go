package webhook

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"ticketgate/domain/ecmajson"
)

// maxObjectID is how long an id may be by which deliveries are found, in characters.
const maxObjectID = 100

// ObjectID is the _id of the resource that an event's data holds, by which its deliveries are found; empty when it has
// none. Data is canonical JSON: {"resource":{…},…} without a space (decisions 7.5), so that it need not be parsed.
func ObjectID(data []byte) string {
	const name = `"_id":"`
	for depth, i := 0, 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 1 {
				return "" // the end of the resource
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

// stringEnd is where the quote is that ends the string which begins at a quote.
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

// plainText is what an id as it stands in JSON says; empty for one that no filter may ask for.
func plainText(written []byte) string {
	text := string(written)
	if bytes.IndexByte(written, '\\') >= 0 {
		value, err := ecmajson.Parse(slices.Concat([]byte{'"'}, written, []byte{'"'}), ecmajson.Limits{})
		if err != nil {
			return "" // an escape that is broken off, or NUL, which no text of ours may have
		}
		text = value.Text()
	}
	if utf8.RuneCountInString(text) > maxObjectID {
		return ""
	}
	return text
}
