package code

import (
	"fmt"
	"strings"
	"unicode"
)

// Handling says what an import does with codes that look damaged.
type Handling string

// The ways of handling: refuse them, trim blanks at an end and refuse the others, or take every code exactly as it is.
const (
	Refuse Handling = ""
	Trim   Handling = "trim"
	Keep   Handling = "keep"
)

// HandlingOf returns what two options of an import say together, and false if they contradict each other.
func HandlingOf(trim, keep bool) (Handling, bool) {
	switch {
	case trim && keep:
		return Refuse, false
	case trim:
		return Trim, true
	case keep:
		return Keep, true
	}
	return Refuse, true
}

// Contradiction says what is wrong with an import that asks for both.
const Contradiction = "must not be combined with keepSuspicious, which takes codes as they are"

// Reading is a code as an import reads it.
type Reading struct {
	Text string
	// Trimmed reports that blanks were removed.
	Trimmed bool
	// Note says how the text differs from what was written, if it is more than blanks.
	Note string
	// Fault says why the text is not taken for a code, and Hint what to do about it. Both continue a sentence that begins with
	// the name of the field.
	Fault, Hint string
}

const (
	blanksHint = "import with trimCodes to remove them, or with keepSuspicious if they belong to the code"
	damageHint = "format the column as text and export it again, or import with keepSuspicious if this is the code"
)

// Read reads a code (IMPORT-1). Of a faulty one, Text is as far as it was read.
func Read(text string, how Handling) Reading {
	reading := Reading{Text: text}
	if how == Keep {
		return reading
	}
	if reading.trim(how); reading.Fault != "" {
		return reading
	}
	if plain, ok := protected(reading.Text); ok {
		reading.Note = fmt.Sprintf("is written %s and read as %s", reading.Text, plain)
		reading.Text = plain
		if reading.trim(how); reading.Fault != "" {
			return reading
		}
	}
	if damage := damageOf(reading.Text); damage != "" {
		reading.Fault, reading.Hint = damage, damageHint
	}
	return reading
}

// trim removes blanks from both ends, or says that there are some.
func (r *Reading) trim(how Handling) {
	trimmed := strings.TrimFunc(r.Text, blank)
	switch {
	case trimmed == r.Text:
	case trimmed == "":
		r.Fault = "must have a character that can be seen"
	case how == Trim:
		r.Text, r.Trimmed = trimmed, true
	default:
		r.Fault, r.Hint = "has blanks at an end", blanksHint
	}
}

// blank reports whether a character is white space or another one without width. Control characters are none: scanners
// send some of them as part of a code.
func blank(r rune) bool {
	switch r {
	case '\u180e', '\u200b', '\u2060', '\ufeff':
		return true
	}
	return unicode.IsSpace(r)
}

// protected returns the text that a cell stands for which was written so that a spreadsheet leaves it alone: ="0012345", or
// an apostrophe before digits.
func protected(text string) (string, bool) {
	if inner, ok := strings.CutPrefix(text, `="`); ok {
		inner, closed := strings.CutSuffix(inner, `"`)
		plain := strings.ReplaceAll(inner, `""`, `"`)
		return plain, closed && plain != "" && strings.Count(inner, `"`) == 2*strings.Count(plain, `"`)
	}
	plain, ok := strings.CutPrefix(text, "'")
	return plain, ok && plain != "" && plain[0] >= '0' && plain[0] <= '9' && !strings.Contains(plain, "'")
}
