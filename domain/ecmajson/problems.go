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
	// Message continues a sentence that the path begins: "must not contain …".
	Message string
}

// Problems lists what is wrong with a text in the order it was met.
type Problems []Problem //nolint:errname // several problems, each of which is no error of its own

// Error joins all problems; callers with a place for each use the list.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = strings.TrimSpace(problem.Path + " " + problem.Message)
	}
	return strings.Join(lines, "; ")
}

const (
	// maxProblems bounds the answer to a text that is wrong all over.
	maxProblems = 100
	// maxShownName bounds, in bytes, what one name adds to a path.
	maxShownName = 64
)

// textFaults is what is wrong inside one string or member name.
type textFaults uint8

// PostgreSQL stores no NUL, and readers replace the other two silently, so that
// two different codes would become one (decisions 1.6).
const (
	nulFault textFaults = 1 << iota
	encodingFault
	surrogateFault
)

// faultMessages is in the order in which several faults of one text are told.
var faultMessages = []struct {
	fault   textFaults
	message string
}{
	{nulFault, "must not contain the NUL character (U+0000)"},
	{encodingFault, "must be valid UTF-8"},
	{surrogateFault, `must not contain half of a surrogate pair: write the character itself or both \u escapes`},
}

// checkText looks for the faults that a decoded text can still have.
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

// step is one way down: a member's name, or an element's index when that is not negative.
type step struct {
	name  string
	index int
}

// findings gathers problems and knows the path they are met at. The length of
// the path is also the depth, so one limit covers every way a value comes in.
type findings struct {
	maxDepth int
	path     []step
	problems Problems
}

// errTooDeep stops a reading; the problem that goes with it is already noted.
var errTooDeep = errors.New("nested too deeply")

func (f *findings) push(s step) { f.path = append(f.path, s) }

func (f *findings) pop() { f.path = f.path[:len(f.path)-1] }

// add notes a problem at the current path.
func (f *findings) add(message string) {
	if len(f.problems) < maxProblems {
		f.problems = append(f.problems, Problem{Path: pathText(f.path), Message: message})
	}
}

// addFaults notes each fault of the text at the current path.
func (f *findings) addFaults(faults textFaults) {
	for _, row := range faultMessages {
		if faults&row.fault != 0 {
			f.add(row.message)
		}
	}
}

// descend is asked before an array or object is entered.
func (f *findings) descend() error {
	if len(f.path) < f.maxDepth {
		return nil
	}
	// Only noted here; each way in decides whether it can go on beside it.
	f.add("is nested too deeply: at most " + strconv.Itoa(f.maxDepth) + " levels are allowed")
	return errTooDeep
}

// result turns what was found into Parse's and FromGo's results.
func (f *findings) result(value Value) (Value, error) {
	if len(f.problems) > 0 {
		return Value{}, f.problems
	}
	return value, nil
}

// pathText writes a path the way JavaScript would reach the value.
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

// isWord reports whether a name can stand in a path without quotes.
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

// shownName makes any name fit to be shown: valid UTF-8, and cut when so long
// that a few problems would repeat megabytes.
func shownName(name string) string {
	if len(name) <= maxShownName {
		return strings.ToValidUTF8(name, "\uFFFD")
	}
	return strings.ToValidUTF8(name[:maxShownName], "") + "…"
}
