package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"unicode/utf16"

	"ticketgate/domain/ecmajson"
)

// printed is a body after parsing and printing, with the advice to give if that text was signed.
type printed struct{ what, text string }

// printers describes JSON printers of several languages: their separators and indentation, and how they escape
// characters.
var printers = [...]struct {
	by           string
	comma, colon string
	indent       string
	char         func(rune) string
}{
	{"ECMAScript's JSON.stringify", ",", ":", "", unchanged},
	{"Python's json.dumps", ", ", ": ", "", escapedBeyondASCII},
	{"Python's json.dumps with ensure_ascii=False", ", ", ": ", "", unchanged},
	{"Python's json.dumps with separators=(',', ':'), or PHP's json_encode with JSON_UNESCAPED_SLASHES", ",", ":", "", escapedBeyondASCII},
	{"PHP's json_encode", ",", ":", "", asPHP},
	{"PHP's json_encode with JSON_UNESCAPED_UNICODE", ",", ":", "", asPHPInUnicode},
	{"PHP's json_encode with JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE", ",", ":", "", escapedLineEnds},
	{"Go's json.Marshal", ",", ":", "", asGo},
	{"a serializer that indents with two spaces", ",", ":", "  ", unchanged},
	{"a serializer that indents with four spaces", ",", ":", "    ", unchanged},
	{"a serializer that indents with tabs", ",", ":", "\t", unchanged},
	{"Python's json.dumps with indent=2", ",", ":", "  ", escapedBeyondASCII},
	{"Python's json.dumps with indent=4", ",", ":", "    ", escapedBeyondASCII},
	{"PHP's json_encode with JSON_PRETTY_PRINT", ",", ":", "    ", asPHP},
	{"Go's json.MarshalIndent", ",", ":", "  ", asGo},
}

// reserialized returns the texts that common JSON printers produce from a body, in the order in which to try them. They
// only help to find the cause of a mismatch. A signature of one of them is never valid.
func reserialized(value ecmajson.Value) iter.Seq[printed] {
	return func(yield func(printed) bool) {
		compact := string(value.Print())
		// Bodies are sent in compact form. If that was signed, the body at hand was printed again by something else.
		if yield(printed{"The body was parsed and serialized again after it was received", compact}) && inEachStyle(compact, "", yield) {
			inEachStyle(sorted(compact), ", with sorted keys", yield)
		}
	}
}

// inEachStyle yields compact JSON in the style of each printer, and reports whether to continue.
func inEachStyle(compact, more string, yield func(printed) bool) bool {
	for _, p := range &printers {
		text := restyled(compact, p.comma, p.colon, p.char)
		var indented bytes.Buffer
		if p.indent != "" && json.Indent(&indented, []byte(text), "", p.indent) == nil {
			text = indented.String()
		}
		what := "The signature was computed over the parsed and reserialized body, as produced by " + p.by + more
		if !yield(printed{what, text}) || !yield(printed{what + " and followed by a line break", text + "\n"}) {
			return false
		}
	}
	return true
}

// sorted returns compact JSON with the keys of all objects sorted.
func sorted(compact string) string {
	var parsed any
	decoder := json.NewDecoder(strings.NewReader(compact))
	decoder.UseNumber()
	if decoder.Decode(&parsed) != nil {
		return compact
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(parsed); err != nil {
		return compact
	}
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(text.String(), "\n"))
}

// restyled rewrites compact JSON with other separators, and with the characters of strings mapped by char.
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

// escapedLineEnds escapes U+2028 and U+2029, which JavaScript once did not allow in strings.
func escapedLineEnds(r rune) string {
	if r == '\u2028' || r == '\u2029' {
		return escapedBeyondASCII(r)
	}
	return string(r)
}

func asPHP(r rune) string {
	if r == '/' {
		return `\/`
	}
	return escapedBeyondASCII(r)
}

func asPHPInUnicode(r rune) string {
	if r == '/' {
		return `\/`
	}
	return escapedLineEnds(r)
}

func asGo(r rune) string {
	if strings.ContainsRune("<>&", r) {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return escapedLineEnds(r)
}
