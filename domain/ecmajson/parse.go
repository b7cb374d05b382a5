package ecmajson

import (
	"cmp"
	"errors"
	"math"
	"strings"
)

// DefaultMaxDepth is how deep arrays and objects may stand inside each other
// where a caller sets no limit.
const DefaultMaxDepth = 32

// Limits bounds what Parse takes on. The size of the text is the caller's to bound.
type Limits struct {
	// MaxDepth counts arrays and objects inside each other; 0 means DefaultMaxDepth.
	MaxDepth int
	// MaxValues counts all values, those inside of others among them; 0 means any number. Memory grows with them: an empty
	// array takes three bytes of text and ten times as much to hold.
	MaxValues int
}

// ErrTooManyValues is the error of a text with more values than its limit. Parse stops reading there.
var ErrTooManyValues = errors.New("the text holds too many values")

// Parse reads exactly one JSON text (RFC 8259) under the rules of decisions 1.6 and 1.7.
//
// A text that is not JSON gives a *SyntaxError. One that is, but breaks rules,
// gives Problems with each of them, up to 100; reading ends early only where the
// text is nested too deeply. No value is returned with an error.
func Parse(data []byte, limits Limits) (Value, error) {
	if limits.MaxDepth == 0 {
		limits.MaxDepth = DefaultMaxDepth
	}
	found := findings{maxDepth: limits.MaxDepth}
	// One copy: strings of the value point into it, and the caller's buffer is free.
	p := parser{text: string(data), findings: &found, left: cmp.Or(limits.MaxValues, math.MaxInt)}
	value, err := p.document()
	if err != nil && !errors.Is(err, errTooDeep) {
		return Value{}, err
	}
	return found.result(value)
}

// parser is one reading of a text. Its methods return a *SyntaxError or errTooDeep;
// whatever leaves the text readable goes to findings.
type parser struct {
	*findings
	text string
	pos  int
	// left is how many more values are read.
	left int
	// Children wait here until their array or object ends and its size is known.
	elements []Value
	members  []Member
}

// document reads one value and white space around it, and nothing else: what
// follows would be ignored by some readers and obeyed by others (decisions 1.7).
func (p *parser) document() (Value, error) {
	p.skipSpace()
	value, err := p.value()
	if err != nil {
		return Value{}, err
	}
	p.skipSpace()
	if p.pos < len(p.text) {
		return Value{}, p.unexpected("the end of the text")
	}
	return value, nil
}

// value reads the value that starts at pos; white space is behind already.
func (p *parser) value() (Value, error) {
	if p.left--; p.left < 0 {
		return Value{}, ErrTooManyValues
	}
	if p.pos == len(p.text) {
		return Value{}, p.unexpected("a value")
	}
	switch c := p.text[p.pos]; {
	case c == '"':
		text, faults, err := p.stringText()
		p.addFaults(faults)
		return Value{kind: String, text: text}, err
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '-' || isDigit(p.text, p.pos):
		return p.number()
	}
	return p.word()
}

// word reads the three values that are words. What follows them is for the
// caller to judge, so that "nulls" fails at its s.
func (p *parser) word() (Value, error) {
	rest := p.text[p.pos:]
	switch {
	case strings.HasPrefix(rest, "true"):
		p.pos += len("true")
		return newBool(true), nil
	case strings.HasPrefix(rest, "false"):
		p.pos += len("false")
		return newBool(false), nil
	case strings.HasPrefix(rest, "null"):
		p.pos += len("null")
		return Value{}, nil
	}
	return Value{}, p.unexpected("a value")
}

// number reads a number. One that would be changed is well-formed, so it is
// noted and the reading goes on.
func (p *parser) number() (Value, error) {
	rest := p.text[p.pos:]
	end, fault := scanNumber(rest)
	if fault != "" {
		if strings.HasPrefix(rest, "-Infinity") {
			return Value{}, p.unexpected("a value")
		}
		return Value{}, p.syntaxError(p.pos+end, fault)
	}
	p.pos += end
	printed, err := canonicalNumber(rest[:end])
	if err != nil {
		p.add(err.Error())
	}
	return Value{kind: Number, text: printed}, nil
}

// array reads an array. A failure leaves its steps on the path and its children
// waiting: nobody looks at them any more.
func (p *parser) array() (Value, error) {
	if err := p.descend(); err != nil {
		return Value{}, err
	}
	p.pos++
	p.skipSpace()
	first := len(p.elements)
	p.push(step{index: 0})
	for more := !p.take(']'); more; p.path[len(p.path)-1].index++ {
		element, err := p.value()
		if err != nil {
			return Value{}, err
		}
		p.elements = append(p.elements, element)
		if more, err = p.separator(']'); err != nil {
			return Value{}, err
		}
	}
	p.pop()
	elements := exactCopy(p.elements[first:])
	p.elements = p.elements[:first]
	return newArray(elements), nil
}

// object reads an object. Its names are compared at the end, when their number
// decides which way is the cheaper.
func (p *parser) object() (Value, error) {
	if err := p.descend(); err != nil {
		return Value{}, err
	}
	p.pos++
	p.skipSpace()
	first := len(p.members)
	for more := !p.take('}'); more; {
		err := p.member()
		if err != nil {
			return Value{}, err
		}
		if more, err = p.separator('}'); err != nil {
			return Value{}, err
		}
	}
	members := exactCopy(p.members[first:])
	p.members = p.members[:first]
	p.reportRepeated(members)
	return newObject(members), nil
}

// member reads a name, a colon and a value. Faults of the name are noted at the
// path of the member itself.
func (p *parser) member() error {
	if p.pos == len(p.text) || p.text[p.pos] != '"' {
		return p.unexpected("a member name in double quotes")
	}
	name, faults, err := p.stringText()
	if err != nil {
		return err
	}
	p.skipSpace()
	if !p.take(':') {
		return p.unexpected("a colon")
	}
	p.skipSpace()
	p.push(step{name: name, index: -1})
	p.addFaults(faults)
	value, err := p.value()
	if err != nil {
		return err
	}
	p.pop()
	p.members = append(p.members, Member{Name: name, Value: value})
	return nil
}

// separator reads what follows a child: a comma, or the end of the array or object.
// Behind a comma a further child must come, so a trailing comma fails there.
func (p *parser) separator(closing byte) (more bool, err error) {
	p.skipSpace()
	if p.take(closing) {
		return false, nil
	}
	if !p.take(',') {
		return false, p.unexpected("a comma or " + string(rune(closing)))
	}
	p.skipSpace()
	return true, nil
}

// take steps over c if it is next, and says whether it was.
func (p *parser) take(c byte) bool {
	if p.pos == len(p.text) || p.text[p.pos] != c {
		return false
	}
	p.pos++
	return true
}

// skipSpace steps over the four characters that JSON calls white space.
func (p *parser) skipSpace() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// exactCopy has no room behind its last item, so that a reader's append moves away.
func exactCopy[T any](items []T) []T {
	if len(items) == 0 {
		return nil
	}
	kept := make([]T, len(items))
	copy(kept, items)
	return kept
}
