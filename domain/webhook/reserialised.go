package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"ticketgate/domain/ecmajson"
)

// printed is what a JSON printer makes of a body that was parsed.
type printed struct{ by, text string }

// reserialised are the texts that printers of several languages make of a body, in the order in which they are tried.
// None of them may be verified in the body's place.
func reserialised(value ecmajson.Value) []printed {
	compact := string(value.Append(nil))
	list := []printed{
		{"ECMAScript's JSON.stringify", compact},
		{"Python's json.dumps", restyled(compact, ", ", ": ", escapedBeyondASCII)},
		{"Python's json.dumps with ensure_ascii=False", restyled(compact, ", ", ": ", unchanged)},
		{"PHP's json_encode", restyled(compact, ",", ":", asPHP)},
	}
	for _, indent := range [...]string{"  ", "    ", "\t"} {
		var text bytes.Buffer
		if json.Indent(&text, []byte(compact), "", indent) == nil {
			list = append(list, printed{fmt.Sprintf("a printer that indents by %q", indent), text.String()})
		}
	}
	var parsed any
	if json.Unmarshal([]byte(compact), &parsed) == nil {
		if sorted, err := json.Marshal(parsed); err == nil {
			list = append(list, printed{"Go's json.Marshal, which sorts members and escapes <, > and &", string(sorted)})
		}
	}
	return list
}

// restyled rewrites compact JSON: what stands between members and after names, and the characters of strings.
func restyled(compact, comma, colon string, char func(rune) string) string {
	var text strings.Builder
	inside, escaped := false, false
	for _, r := range compact {
		switch {
		case inside && !escaped && r != '"' && r != '\\':
			text.WriteString(char(r))
			continue
		case !inside && r == ',':
			text.WriteString(comma)
			continue
		case !inside && r == ':':
			text.WriteString(colon)
			continue
		case r == '"' && !escaped:
			inside = !inside
		}
		escaped = inside && r == '\\' && !escaped
		text.WriteRune(r)
	}
	return text.String()
}

func escapedBeyondASCII(r rune) string {
	const lastASCII = 0x7e
	if r <= lastASCII {
		return string(r)
	}
	var text strings.Builder
	for _, unit := range utf16.Encode([]rune{r}) {
		fmt.Fprintf(&text, `\u%04x`, unit)
	}
	return text.String()
}

func unchanged(r rune) string { return string(r) }

func asPHP(r rune) string {
	if r == '/' {
		return `\/`
	}
	return escapedBeyondASCII(r)
}
