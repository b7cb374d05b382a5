package domain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ticketgate/domain/texts"
)

// FieldError says what is wrong with one member of the input. Path is the member's JSON name relative to the
// body, such as `events[2].eventId`, the same in both doors.
type FieldError struct {
	Path    string `json:"path"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Problems gathers everything that is wrong with an input, so that a caller sees all fields at once.
type Problems struct {
	fields []FieldError
	// more counts the problems beyond maxFields.
	more int
	// words are the message, where a rule has words of its own for it that clients show.
	words string
	// Bounded problems beyond maxFields are not counted, either: for readers that stop looking for them there.
	Bounded bool
}

// Add notes that the member at path is wrong; the message continues a sentence that begins with the path.
func (p *Problems) Add(path, message string) {
	p.note(FieldError{Path: path, Message: message})
}

// NotNull notes that null was sent for a member that always has a value: null clears only what is optional (decisions 1.4).
func (p *Problems) NotNull(path string, null bool) {
	if null {
		p.Add(path, "must not be null; leave it out to keep the "+path)
	}
}

// AddHint is Add with a further sentence that says how to put it right.
func (p *Problems) AddHint(path, message, hint string) {
	p.note(FieldError{Path: path, Message: message, Hint: hint})
}

// Unknown notes a name that is none of known, and hints at the nearest one, or otherwise. Once the maximum number of errors
// is reached it searches for nothing (LIMIT-11).
func (p *Problems) Unknown(path, message, name string, known []string, otherwise string) {
	if !p.Full() {
		if nearest, ok := texts.Nearest(name, known); ok {
			otherwise = fmt.Sprintf("did you mean %q?", nearest)
		}
	}
	p.AddHint(path, message, otherwise)
}

// Full reports whether the maximum number of errors was reached: further ones are counted, and not kept.
func (p *Problems) Full() bool { return len(p.fields) >= maxFields }

// note keeps a problem, or counts it once there are maxFields. What a caller has sent is repeated in part only (LIMIT-11).
func (p *Problems) note(field FieldError) {
	if p.Full() {
		if !p.Bounded {
			p.more++
		}
		return
	}
	field.Path, field.Message = texts.Shorten(field.Path, maxPathShown), texts.Shorten(field.Message, maxMessageShown)
	p.fields = append(p.fields, field)
}

// Any tells whether anything is wrong so far.
func (p *Problems) Any() bool { return len(p.fields) > 0 }

// Under adds the fields of a nested error below prefix; an error without fields is noted at the prefix itself.
func (p *Problems) Under(prefix string, err error) {
	if err == nil {
		return
	}
	nested := AsError(err)
	if len(nested.Fields) == 0 {
		p.Add(prefix, nested.Message)
	}
	for _, field := range nested.Fields {
		field.Path = JoinPath(prefix, field.Path)
		p.note(field)
	}
}

// Filter adds what is wrong with the filter of a list, if it has rules, below prefix. Of a member that something was said of
// already, nothing more is said.
func (p *Problems) Filter(prefix string, filter any) {
	ruled, ok := filter.(interface{ Check() error })
	if !ok {
		return
	}
	var found Problems
	found.Under(prefix, ruled.Check())
	for _, field := range found.fields {
		if !p.Has(field.Path) {
			p.note(field)
		}
	}
}

// Has reports whether something is wrong with the member at path.
func (p *Problems) Has(path string) bool {
	return slices.ContainsFunc(p.fields, func(field FieldError) bool { return field.Path == path })
}

// The bounds of an error: a body can hold tens of thousands of wrong fields, with names of any length. The two lengths are in
// bytes.
const (
	maxFields       = 100
	maxPathShown    = 300
	maxMessageShown = 2000
)

// Err returns the gathered problems as one VALIDATION_FAILED error, or nil. The message counts all of them, the
// first hundred that have a path are named. Where nothing has one the input as a whole is wrong: INVALID_REQUEST.
func (p *Problems) Err() error {
	if len(p.fields) == 0 {
		return nil
	}
	code, message := CodeValidationFailed, cmp.Or(p.words, summary(p.fields, p.more))
	named := slices.DeleteFunc(slices.Clone(p.fields), func(field FieldError) bool { return field.Path == "" })
	if len(named) == 0 {
		code = CodeInvalidRequest
	}
	return &Error{Code: code, Message: message, Fields: named}
}

// Invalid is the error of a single wrong field.
func Invalid(path, message string) *Error {
	var problems Problems
	problems.Add(path, message)
	return &Error{Code: CodeValidationFailed, Message: summary(problems.fields, 0), Fields: problems.fields}
}

// summary is the sentence clients show: the first three fields in full, the rest counted, and more beside them.
func summary(fields []FieldError, more int) string {
	const shown = 3
	parts := make([]string, 0, shown+1)
	for i, field := range fields {
		if i == shown {
			parts = append(parts, fmt.Sprintf("and %d more", len(fields)-shown+more))
			break
		}
		parts = append(parts, strings.TrimSpace(field.Path+" "+field.Message))
	}
	return strings.Join(parts, "; ")
}

// JoinPath puts a nested path below its parent: `http` and `url` give `http.url`, `events` and `[0].eventId`
// give `events[0].eventId`.
func JoinPath(parent, child string) string {
	switch {
	case parent == "":
		return child
	case child == "" || child[0] == '[':
		return parent + child
	}
	return parent + "." + child
}

// MemberPath is JoinPath for a name that its sender has chosen. A name that is not a plain word is written in brackets and
// quotes: `costs` and `spare parts` give `costs["spare parts"]`.
func MemberPath(parent, name string) string {
	const longest = 64
	name = texts.Shorten(name, longest)
	for i, r := range name {
		letter := unicode.IsLetter(r) || r == '_' || r == '$'
		if !letter && (i == 0 || !unicode.IsDigit(r)) {
			return parent + "[" + strconv.Quote(name) + "]"
		}
	}
	if name == "" {
		return parent + `[""]`
	}
	return JoinPath(parent, name)
}

// IndexPath names one element of an array: `events` and 2 give `events[2]`.
func IndexPath(parent string, i int) string {
	return parent + "[" + strconv.Itoa(i) + "]"
}

// MaxNameLength is the longest name of anything, in characters (decisions 1.6).
const MaxNameLength = 200

// Name returns a name trimmed, and notes what is wrong with it: 1 to 200 characters (decisions 1.6).
func (p *Problems) Name(path, name string) string {
	name = texts.Trim(name)
	p.ShortLine(path, name, MaxNameLength)
	return name
}

// Line notes what a text of one line may not hold: what Text notes, and characters that IsControl reports (LIMIT-10).
func (p *Problems) Line(path, text string) {
	if !p.NoControl(path, text) {
		p.Text(path, text)
	}
}

// NoControl notes a character that IsControl reports, other than NUL, which Text notes. It reports whether there is one.
func (p *Problems) NoControl(path, text string) (found bool) {
	at := strings.IndexFunc(text, func(r rune) bool { return r != 0 && texts.IsControl(r) })
	if at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		p.Add(path, fmt.Sprintf("must not contain control characters such as U+%04X", r))
	}
	return at >= 0
}

// Text notes a NUL or invalid UTF-8 in any string that will be stored (decisions 1.6).
func (p *Problems) Text(path, text string) {
	switch {
	case !utf8.ValidString(text):
		p.Add(path, "must be valid UTF-8")
	case strings.ContainsRune(text, 0):
		p.Add(path, "must not contain the NUL character")
	}
}

// Length notes a string outside 1 to longest characters, for strings that are kept exactly as sent.
func (p *Problems) Length(path, text string, longest int) {
	p.length(path, text, longest)
	p.Text(path, text)
}

// ShortLine notes a text of one line outside 1 to longest characters, and what Line notes.
func (p *Problems) ShortLine(path, text string, longest int) {
	p.length(path, text, longest)
	p.Line(path, text)
}

func (p *Problems) length(path, text string, longest int) {
	switch length := utf8.RuneCountInString(text); {
	case length == 0:
		p.Add(path, "must not be empty")
	case length > longest:
		p.Add(path, fmt.Sprintf("must be at most %d characters, not %d", longest, length))
	}
}

// Count notes a list or map with more than most entries, and reports whether it has no more. It is asked before the entries
// are looked at (LIMIT-11).
func (p *Problems) Count(path string, count, most int) bool {
	if count > most {
		p.Add(path, fmt.Sprintf("must have at most %d entries, not %d", most, count))
	}
	return count <= most
}

// Values is Count for the values of a filter: at most 100.
func (p *Problems) Values(path string, count int) bool {
	const most = 100
	return p.Count(path, count, most)
}

// Reference notes an identifier that comes in and is not 1 to 64 characters (decisions 1.1).
func (p *Problems) Reference(path, id string) {
	const longest = 64
	p.Length(path, id, longest)
}
