package code

import (
	"fmt"
	"strings"
	"unicode"
)

// Handling says how an import treats codes that look damaged.
type Handling string

// Refuse rejects damaged codes. Trim removes blanks at both ends and rejects other damage. Keep takes every code as it
// is.
const (
	Refuse Handling = ""
	Trim   Handling = "trim"
	Keep   Handling = "keep"
)

// HandlingOf returns the Handling for two options of an import, and false if both are set.
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

// Contradiction is the message for an import that sets both options.
const Contradiction = "must not be combined with keepSuspicious, which takes codes as they are"

// Reading is a code as an import reads it.
type Reading struct {
	Text string
	// Trimmed is true if blanks were removed.
	Trimmed bool
	// Note says how Text differs from the input, apart from removed blanks.
	Note string
	// Fault says why the text is not accepted as a code, and Hint how to fix it. Fault continues a sentence that starts
	// with the name of the field.
	Fault, Hint string
}

const (
	blanksHint = "import with trimCodes to remove them, or with keepSuspicious if they belong to the code"
	damageHint = "format the column as text and export it again, or import with keepSuspicious if this is the code"
)

// Read reads a code (IMPORT-1). If it has a fault, Text is the text read so far.
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

// trim removes blanks from both ends, or sets the fault for them.
func (r *Reading) trim(how Handling) {
	trimmed := strings.TrimFunc(r.Text, blank)
	switch {
	case trimmed == r.Text:
	case trimmed == "":
		r.Fault = "must contain at least one visible character"
	case how == Trim:
		r.Text, r.Trimmed = trimmed, true
	default:
		r.Fault, r.Hint = "has leading or trailing blanks", blanksHint
	}
}

// blank reports whether a character is white space or has no width. Control characters are not blank, because scanners
// send some of them as part of a code.
func blank(r rune) bool {
	switch r {
	case '\u180e', '\u200b', '\u2060', '\ufeff':
		return true
	}
	return unicode.IsSpace(r)
}

// protected returns the content of a cell that was written so that a spreadsheet leaves it unchanged: ="0012345", or an
// apostrophe before digits.
func protected(text string) (string, bool) {
	if inner, ok := strings.CutPrefix(text, `="`); ok {
		inner, closed := strings.CutSuffix(inner, `"`)
		plain := strings.ReplaceAll(inner, `""`, `"`)
		return plain, closed && plain != "" && strings.Count(inner, `"`) == 2*strings.Count(plain, `"`)
	}
	plain, ok := strings.CutPrefix(text, "'")
	return plain, ok && plain != "" && plain[0] >= '0' && plain[0] <= '9' && !strings.Contains(plain, "'")
}
