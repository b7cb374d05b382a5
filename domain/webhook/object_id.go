package webhook

import "bytes"

// maxObjectID is how long an id may be by which deliveries are found.
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

// plainText is an id as it stands in JSON; one with escapes is none of ours, and is not found.
func plainText(text []byte) string {
	if len(text) > maxObjectID || bytes.IndexByte(text, '\\') >= 0 {
		return ""
	}
	return string(text)
}
