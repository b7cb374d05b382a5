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

// printed is what a JSON printer makes of a body that was parsed, and what to say where that was signed.
type printed struct{ what, text string }

// printers are those of several languages: how they part members and names, or indent, and what they do to characters.
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
	{`a printer that indents by "  "`, ",", ":", "  ", unchanged},
	{`a printer that indents by "    "`, ",", ":", "    ", unchanged},
	{`a printer that indents by "\t"`, ",", ":", "\t", unchanged},
	{"Python's json.dumps with indent=2", ",", ":", "  ", escapedBeyondASCII},
	{"Python's json.dumps with indent=4", ",", ":", "    ", escapedBeyondASCII},
	{"PHP's json_encode with JSON_PRETTY_PRINT", ",", ":", "    ", asPHP},
	{"Go's json.MarshalIndent", ",", ":", "  ", asGo},
}

// reserialised are the texts that printers of several languages make of a body, in the order in which they are tried. None
// of them may be verified in the body's place.
func reserialised(value ecmajson.Value) iter.Seq[printed] {
	return func(yield func(printed) bool) {
		compact := string(value.Print())
		// What is sent is compact: where that was signed, it is the body that was printed again, by whatever did it.
		if yield(printed{"The body was parsed and printed again after it came", compact}) && inEachStyle(compact, "", yield) {
			inEachStyle(sorted(compact), ", with sorted members", yield)
		}
	}
}

// inEachStyle yields compact JSON as each printer prints it, and reports whether more is wanted.
func inEachStyle(compact, more string, yield func(printed) bool) bool {
	for _, p := range &printers {
		text := restyled(compact, p.comma, p.colon, p.char)
		var indented bytes.Buffer
		if p.indent != "" && json.Indent(&indented, []byte(text), "", p.indent) == nil {
			text = indented.String()
		}
		what := "The signature was made of the body parsed and printed again, as by " + p.by + more
		if !yield(printed{what, text}) || !yield(printed{what + " and a line break", text + "\n"}) {
			return false
		}
	}
	return true
}

// sorted prints compact JSON with the members of all objects in order, and all else as it is.
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

// escapedLineEnds are those of Unicode that scripts once did not allow within strings.
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
