package ecmajson

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Problem is a place in a well-formed text that breaks a rule.
type Problem struct {
	// Path is relative to the root, as in events[2].eventId or meta["a b"]; the root is empty.
	Path string
	// Message continues a sentence that starts with the path: "must not contain …".
	Message string
}

// Problems lists the faults of a text in order of occurrence.
type Problems []Problem //nolint:errname // a list of problems, not a single error

// Error joins all problems. Callers that report each at its path use the list.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = strings.TrimSpace(problem.Path + " " + problem.Message)
	}
	return strings.Join(lines, "; ")
}

const (
	// maxProblems bounds the number of problems reported.
	maxProblems = 100
	// maxShownName is the maximum length that a name adds to a path, in bytes.
	maxShownName = 64
)

// textFaults are the faults within a string or name.
type textFaults uint8

// PostgreSQL does not store NUL, and readers replace the other two silently, so that two different codes would become
// one (VALUE-5).
const (
	nulFault textFaults = 1 << iota
	encodingFault
	surrogateFault
)

// faultMessages is in the order in which the faults of a text are reported.
var faultMessages = []struct {
	fault   textFaults
	message string
}{
	{nulFault, "must not contain the NUL character"},
	{encodingFault, "must be valid UTF-8"},
	{surrogateFault, `must not contain half of a surrogate pair: write the character itself or both \u escapes`},
}

// checkText returns the faults that a decoded text can still have.
func checkText(text string) textFaults {
	var faults textFaults
	if strings.IndexByte(text, 0) >= 0 {
		faults |= nulFault
	}
	if !utf8.ValidString(text) {
		faults |= encodingFault
	}
	return faults
}

// step is one step of a path: a member's name, or an element's index if it is not negative.
type step struct {
	name  string
	index int
}

// findings collects problems with their paths. The length of the path is also the depth, so one limit applies to every
// source.
type findings struct {
	maxDepth int
	path     []step
	problems Problems
}

// errTooDeep stops reading; its problem is already added.
var errTooDeep = errors.New("nested too deeply")

func (f *findings) push(s step) { f.path = append(f.path, s) }

func (f *findings) pop() { f.path = f.path[:len(f.path)-1] }

// add adds a problem at the current path.
func (f *findings) add(message string) {
	if len(f.problems) < maxProblems {
		f.problems = append(f.problems, Problem{Path: pathText(f.path), Message: message})
	}
}

// addFaults adds each fault of a text at the current path.
func (f *findings) addFaults(faults textFaults) {
	for _, row := range faultMessages {
		if faults&row.fault != 0 {
			f.add(row.message)
		}
	}
}

// descend is called before an array or object is entered.
func (f *findings) descend() error {
	if len(f.path) < f.maxDepth {
		return nil
	}
	// The caller decides whether it can continue.
	f.add("is nested too deeply: at most " + strconv.Itoa(f.maxDepth) + " levels are allowed")
	return errTooDeep
}

// result returns the results of Parse and FromGo.
func (f *findings) result(value Value) (Value, error) {
	if len(f.problems) > 0 {
		return Value{}, f.problems
	}
	return value, nil
}

// pathText writes a path as JavaScript would access the value.
func pathText(path []step) string {
	var text []byte
	for _, s := range path {
		switch {
		case s.index >= 0:
			text = append(strconv.AppendInt(append(text, '['), int64(s.index), 10), ']')
		case !isWord(s.name):
			text = append(AppendString(append(text, '['), shownName(s.name)), ']')
		case len(text) > 0:
			text = append(append(text, '.'), s.name...)
		default:
			text = append(text, s.name...)
		}
	}
	return string(text)
}

// isWord reports whether a name needs no quotes in a path.
func isWord(name string) bool {
	if name == "" || len(name) > maxShownName {
		return false
	}
	for i, r := range name {
		letter := unicode.IsLetter(r) || r == '_' || r == '$'
		if !letter && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}

// shownName makes a name showable: valid UTF-8, and truncated so that a few problems can't repeat megabytes.
func shownName(name string) string {
	if len(name) <= maxShownName {
		return strings.ToValidUTF8(name, "\uFFFD")
	}
	return strings.ToValidUTF8(name[:maxShownName], "") + "…"
}
