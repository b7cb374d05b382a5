package ecmajson

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// stringText reads the string at the current quote. Faults leave the text readable: the caller reports them once the
// path is known.
func (p *parser) stringText() (string, textFaults, error) {
	start := p.pos + 1
	var faults textFaults
	ascii := true // most strings are, and need no second check
	for i := start; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.pos = i + 1
			text := p.text[start:i]
			if !ascii && !utf8.ValidString(text) {
				faults |= encodingFault
			}
			return text, faults, nil
		case c == '\\':
			return p.escapedText(start, i)
		case c == 0:
			faults |= nulFault // refused too, but with its path
		case c < ' ':
			return "", 0, p.controlCharacter(i)
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", 0, p.syntaxError(len(p.text), "the text ends inside a string")
}

// escapedText continues reading a string at its first escape at i, and copies its text.
func (p *parser) escapedText(start, i int) (string, textFaults, error) {
	var faults textFaults
	text := append(make([]byte, 0, 2*(i-start)+16), p.text[start:i]...)
	for i < len(p.text) {
		switch c := p.text[i]; {
		case c == '"':
			p.pos = i + 1
			decoded := string(text)
			return decoded, faults | checkText(decoded), nil
		case c == '\\':
			r, size, err := p.escape(i)
			if err != nil {
				return "", 0, err
			}
			if utf16.IsSurrogate(r) {
				faults |= surrogateFault
			}
			text = utf8.AppendRune(text, r) // half a pair becomes U+FFFD, which a path can show
			i += size
		case c < ' ' && c != 0:
			return "", 0, p.controlCharacter(i)
		default:
			text = append(text, c)
			i++
		}
	}
	return "", 0, p.syntaxError(len(p.text), "the text ends inside a string")
}

// shortEscapes pairs each letter after a backslash with the character that it means.
const shortEscapes = "\"\"\\\\//b\bf\fn\nr\rt\t"

// escape decodes the escape at i and returns its length in bytes. Half of a surrogate pair is returned as it is.
func (p *parser) escape(i int) (rune, int, error) {
	if i+1 == len(p.text) {
		return 0, 0, p.syntaxError(i+1, "the text ends inside a string")
	}
	c := p.text[i+1]
	if c == 'u' {
		return p.unicodeEscape(i)
	}
	for at := 0; at < len(shortEscapes); at += 2 {
		if shortEscapes[at] == c {
			return rune(shortEscapes[at+1]), 2, nil
		}
	}
	return 0, 0, p.syntaxError(i, `a backslash must be followed by one of " \ / b f n r t u; write a backslash itself as \\`)
}

func (p *parser) unicodeEscape(i int) (rune, int, error) {
	r, size, ok := unicodeEscape(p.text, i)
	if !ok {
		return 0, 0, p.syntaxError(i, `\u must be followed by four hexadecimal digits`)
	}
	return r, size, nil
}

const unicodeEscapeLength = len(`\uXXXX`)

// unicodeEscape reads the \uXXXX escape at i, if there is one, and joins the two escapes of a character beyond U+FFFF.
func unicodeEscape(text string, i int) (r rune, size int, ok bool) {
	r, ok = codeUnit(text, i)
	// Halves in any other order are not a pair; the second is then read alone.
	if ok && utf16.IsSurrogate(r) {
		if low, ok := codeUnit(text, i+unicodeEscapeLength); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 2 * unicodeEscapeLength, true
			}
		}
	}
	return r, unicodeEscapeLength, ok
}

func codeUnit(text string, i int) (rune, bool) {
	if i+unicodeEscapeLength > len(text) || !strings.HasPrefix(text[i:], `\u`) {
		return 0, false
	}
	// In base 16, ParseUint accepts no sign, underscore or prefix.
	unit, err := strconv.ParseUint(text[i+2:i+unicodeEscapeLength], 16, 16)
	return rune(unit), err == nil
}

// HalvesSurrogatePair reports whether an escape in a text is half of a surrogate pair. The text is the source of a
// string in JSON or in a language with the same escapes.
func HalvesSurrogatePair(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		r, size, ok := unicodeEscape(text, i)
		switch {
		case !ok: // an escaped backslash starts no escape
			i++
		case utf16.IsSurrogate(r):
			return true
		default:
			i += size - 1
		}
	}
	return false
}

// controlCharacter explains the most common invalid string: one with a bare line break.
func (p *parser) controlCharacter(i int) error {
	return p.syntaxError(i, "a string must not contain a line break, tab or other control character: write it as an escape, such as "+
		string(AppendString(nil, p.text[i:i+1])))
}
