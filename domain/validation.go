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

// FieldError describes a fault of one input field. Path is the field's JSON name relative to the body, such as
// `events[2].eventId`; it is the same in both APIs.
type FieldError struct {
	Path    string `json:"path"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// FieldErrors collects the faults of an input, so that a caller sees all of them at once (BODY-1).
type FieldErrors struct {
	fields []FieldError
	// more counts the faults beyond maxFields.
	more int
	// words replaces the summary as the message, for rules with a fixed message that clients show.
	words string
	// Bounded stops counting at maxFields, for readers that stop looking for faults there.
	Bounded bool
}

// Add adds a fault of the field at path. The message continues a sentence that starts with the path.
func (p *FieldErrors) Add(path, message string) {
	p.append(FieldError{Path: path, Message: message})
}

// NotNull adds a fault if null was sent for a required field. Null clears optional fields only (VALUE-4).
func (p *FieldErrors) NotNull(path string, null bool) {
	if null {
		p.Add(path, "must not be null. Omit it to keep the "+path)
	}
}

// AddHint is Add with a sentence on how to fix the fault.
func (p *FieldErrors) AddHint(path, message, hint string) {
	p.append(FieldError{Path: path, Message: message, Hint: hint})
}

// UnknownField is the message for a field that an object doesn't have.
const UnknownField = "is not a known field"

// Unknown adds a fault for a name that is not in known. Its hint is the nearest known name, or otherwise if there is
// none. Once Full is true it doesn't search (LIMIT-11).
func (p *FieldErrors) Unknown(path, message, name string, known []string, otherwise string) {
	if !p.Full() {
		if nearest, ok := texts.Nearest(name, known); ok {
			otherwise = fmt.Sprintf("Did you mean %q?", nearest)
		}
	}
	p.AddHint(path, message, otherwise)
}

// Full reports whether the maximum number of faults was reached. Later faults are counted but not kept.
func (p *FieldErrors) Full() bool { return len(p.fields) >= maxFields }

// append keeps a fault, or counts it if p is full. It truncates long paths and messages (LIMIT-11).
func (p *FieldErrors) append(field FieldError) {
	if p.Full() {
		if !p.Bounded {
			p.more++
		}
		return
	}
	field.Path, field.Message = texts.Shorten(field.Path, maxPathShown), texts.Shorten(field.Message, maxMessageShown)
	p.fields = append(p.fields, field)
}

// Any reports whether there is a fault.
func (p *FieldErrors) Any() bool { return len(p.fields) > 0 }

// Under adds the fields of err with prefix before their paths. If err has no fields, its message is added at prefix.
func (p *FieldErrors) Under(prefix string, err error) {
	if err == nil {
		return
	}
	nested := AsError(err)
	if len(nested.Fields) == 0 {
		p.Add(prefix, nested.Message)
	}
	for _, field := range nested.Fields {
		field.Path = JoinPath(prefix, field.Path)
		p.append(field)
	}
}

// Filter adds the faults of a list's filter, if it has a Check method, below prefix. It skips fields that already have
// a fault.
func (p *FieldErrors) Filter(prefix string, filter any) {
	ruled, ok := filter.(interface{ Check() error })
	if !ok {
		return
	}
	var found FieldErrors
	found.Under(prefix, ruled.Check())
	for _, field := range found.fields {
		if !p.Has(field.Path) {
			p.append(field)
		}
	}
}

// Has reports whether the field at path has a fault.
func (p *FieldErrors) Has(path string) bool {
	return slices.ContainsFunc(p.fields, func(field FieldError) bool { return field.Path == path })
}

// The bounds of an error. A body can hold tens of thousands of invalid fields with names of any length. The two lengths
// are in bytes.
const (
	maxFields       = 100
	maxPathShown    = 300
	maxMessageShown = 2000
)

// Err returns the faults as one VALIDATION_FAILED error, or nil if there are none. The message counts all of them. The
// first hundred with a path are named. If none has a path, the whole input is invalid: INVALID_REQUEST.
func (p *FieldErrors) Err() error {
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

// Invalid returns the error for a single invalid field.
func Invalid(path, message string) *Error {
	var errs FieldErrors
	errs.Add(path, message)
	return &Error{Code: CodeValidationFailed, Message: summary(errs.fields, 0), Fields: errs.fields}
}

// summary returns the message that clients show: the first three fields in full and the number of the others, including
// more.
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

// JoinPath joins a parent path and a nested one: `http` and `url` give `http.url`, `events` and `[0].eventId` give
// `events[0].eventId`.
func JoinPath(parent, child string) string {
	switch {
	case parent == "":
		return child
	case child == "" || child[0] == '[':
		return parent + child
	}
	return parent + "." + child
}

// FieldPath is JoinPath for a name chosen by the sender. A name that is not an identifier is put in brackets and
// quotes: `costs` and `spare parts` give `costs["spare parts"]`.
func FieldPath(parent, name string) string {
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

// IndexPath returns the path of an array element: `events` and 2 give `events[2]`.
func IndexPath(parent string, i int) string {
	return parent + "[" + strconv.Itoa(i) + "]"
}

// MaxNameLength is the maximum length of a name in characters (VALUE-5).
const MaxNameLength = 200

// Name returns the trimmed name and adds a fault unless it has 1 to 200 characters (VALUE-5).
func (p *FieldErrors) Name(path, name string) string {
	name = texts.Trim(name)
	p.ShortLine(path, name, MaxNameLength)
	return name
}

// Line adds the faults of a single-line text: those of Text, and control characters (LIMIT-10).
func (p *FieldErrors) Line(path, text string) {
	if !p.NoControl(path, text) {
		p.Text(path, text)
	}
}

// NoControl adds a fault for the first control character other than NUL, which Text reports. It reports whether it
// found one.
func (p *FieldErrors) NoControl(path, text string) (found bool) {
	at := strings.IndexFunc(text, func(r rune) bool { return r != 0 && texts.IsControl(r) })
	if at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		p.Add(path, fmt.Sprintf("must not contain control characters such as U+%04X", r))
	}
	return at >= 0
}

// Text adds a fault for a NUL or invalid UTF-8, which no stored string may contain (VALUE-5).
func (p *FieldErrors) Text(path, text string) {
	switch {
	case !utf8.ValidString(text):
		p.Add(path, "must be valid UTF-8")
	case strings.ContainsRune(text, 0):
		p.Add(path, "must not contain the NUL character")
	}
}

// Length adds a fault unless the string has 1 to longest characters. It is for strings that are stored as sent.
func (p *FieldErrors) Length(path, text string, longest int) {
	p.length(path, text, longest)
	p.Text(path, text)
}

// ShortLine adds a fault unless the single-line text has 1 to longest characters, and the faults of Line.
func (p *FieldErrors) ShortLine(path, text string, longest int) {
	p.length(path, text, longest)
	p.Line(path, text)
}

func (p *FieldErrors) length(path, text string, longest int) {
	switch length := utf8.RuneCountInString(text); {
	case length == 0:
		p.Add(path, "must not be empty")
	case length > longest:
		p.Add(path, fmt.Sprintf("must be at most %d characters, not %d", longest, length))
	}
}

// Count adds a fault if a list or map has more than most entries. It reports whether the count is allowed. Call it
// before reading the entries (LIMIT-11).
func (p *FieldErrors) Count(path string, count, most int) bool {
	if count > most {
		p.Add(path, fmt.Sprintf("must have at most %d entries, not %d", most, count))
	}
	return count <= most
}

// Values is Count for the values of a filter: it reports whether there are at most 100.
func (p *FieldErrors) Values(path string, count int) bool {
	const most = 100
	return p.Count(path, count, most)
}

// Reference adds a fault unless the id has 1 to 64 characters (VALUE-1).
func (p *FieldErrors) Reference(path, id string) {
	const longest = 64
	p.Length(path, id, longest)
}
