package ecmajson

import (
	"cmp"
	"errors"
	"math"
	"strings"
)

// DefaultMaxDepth is the maximum nesting of arrays and objects if the caller sets none.
const DefaultMaxDepth = 32

// Limits bound what Parse accepts. The caller must bound the size of the text.
type Limits struct {
	// MaxDepth bounds the nesting of arrays and objects; 0 means DefaultMaxDepth.
	MaxDepth int
	// MaxValues bounds the number of values, including nested ones; 0 means unlimited. Memory grows with it: an empty
	// array takes three bytes of text and ten times as much memory.
	MaxValues int
}

// ErrTooManyValues is the error for a text with more values than its limit. Parse stops reading there.
var ErrTooManyValues = errors.New("the text has too many values")

// Parse reads exactly one JSON text (RFC 8259) under the rules of this package.
//
// A text that is not JSON returns a *SyntaxError. A JSON text that breaks rules returns Problems with each fault, up to
// 100; reading stops early only if the text is nested too deeply. No value is returned with an error.
func Parse(data []byte, limits Limits) (Value, error) {
	if limits.MaxDepth == 0 {
		limits.MaxDepth = DefaultMaxDepth
	}
	found := findings{maxDepth: limits.MaxDepth}
	// One copy: strings of the value point into it, so the caller may reuse its buffer.
	p := parser{text: string(data), findings: &found, left: cmp.Or(limits.MaxValues, math.MaxInt)}
	value, err := p.document()
	if err != nil && !errors.Is(err, errTooDeep) {
		return Value{}, err
	}
	return found.result(value)
}

// parser reads one text. Its methods return a *SyntaxError or errTooDeep; faults that leave the text readable go to
// findings.
type parser struct {
	*findings
	text string
	pos  int
	// left is the number of values that may still be read.
	left int
	// Children are kept here until their array or object ends and its size is known.
	elements []Value
	fields   []Field
}

// document reads one value and the white space around it. Trailing text is an error, because some readers ignore it and
// others don't (BODY-4).
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

// value reads the value at pos; white space is already skipped.
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

// word reads true, false or null. The caller checks what follows, so that "nulls" fails at its s.
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

// number reads a number. A number that can't be stored exactly is a problem but not a syntax error, so reading
// continues.
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

// array reads an array. After a failure, its steps stay on the path and its children in the stack, because neither is
// used any more.
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

// object reads an object. It compares names at the end, when their number shows which algorithm is cheaper.
func (p *parser) object() (Value, error) {
	if err := p.descend(); err != nil {
		return Value{}, err
	}
	p.pos++
	p.skipSpace()
	first := len(p.fields)
	for more := !p.take('}'); more; {
		err := p.field()
		if err != nil {
			return Value{}, err
		}
		if more, err = p.separator('}'); err != nil {
			return Value{}, err
		}
	}
	fields := exactCopy(p.fields[first:])
	p.fields = p.fields[:first]
	p.reportRepeated(fields)
	return newObject(fields), nil
}

// field reads a name, a colon and a value. Faults of the name are reported at the path of the member.
func (p *parser) field() error {
	if p.pos == len(p.text) || p.text[p.pos] != '"' {
		return p.unexpected("a field name in double quotes")
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
	p.fields = append(p.fields, Field{Name: name, Value: value})
	return nil
}

// separator reads what follows a child: a comma, or the end of the array or object. After a comma another child must
// follow, so a trailing comma fails there.
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

// take skips c if it is next, and reports whether it was.
func (p *parser) take(c byte) bool {
	if p.pos == len(p.text) || p.text[p.pos] != c {
		return false
	}
	p.pos++
	return true
}

// skipSpace skips the four characters that are white space in JSON.
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

// exactCopy returns a copy without spare capacity, so that a reader's append reallocates.
func exactCopy[T any](items []T) []T {
	if len(items) == 0 {
		return nil
	}
	kept := make([]T, len(items))
	copy(kept, items)
	return kept
}
