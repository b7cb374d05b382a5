package ecmajson

import (
	"cmp"
	"errors"
	"math"
)

// Element is an element of an array read by ParseElements.
type Element struct {
	// Value is the element as read. If there are problems, it may differ from the text, or be null. Use it only to find
	// more faults; don't store it.
	Value Value
	// Problems are the rules that the element breaks. Their paths are relative to the element.
	Problems Problems
}

// ErrNoArray is the error for a JSON text that is not an array.
var ErrNoArray = errors.New("the text must be an array")

// ParseElements is Parse for an array whose elements are checked independently: an element that breaks rules has its
// problems and does not affect the others. Text that is not JSON is an error as a whole.
func ParseElements(data []byte, limits Limits) ([]Element, error) {
	depth := cmp.Or(limits.MaxDepth, DefaultMaxDepth) - 1 // the array itself is one level
	p := parser{text: string(data), findings: &findings{maxDepth: depth}, left: cmp.Or(limits.MaxValues, math.MaxInt) - 1}
	p.skipSpace()
	if !p.take('[') {
		if _, err := Parse(data, limits); err != nil {
			return nil, err
		}
		return nil, ErrNoArray
	}
	p.skipSpace()
	var elements []Element
	for more := !p.take(']'); more; {
		element, err := p.element()
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
		if more, err = p.separator(']'); err != nil {
			return nil, err
		}
	}
	p.skipSpace()
	if p.pos < len(p.text) {
		return nil, p.unexpected("the end of the text")
	}
	return elements, nil
}

// element reads an element with its own findings.
func (p *parser) element() (Element, error) {
	start := p.pos
	p.findings = &findings{maxDepth: p.maxDepth}
	value, err := p.value()
	if errors.Is(err, errTooDeep) {
		value, p.elements, p.fields = Value{}, nil, nil
		p.pos = start
		err = p.skipNested()
	}
	return Element{Value: value, Problems: p.problems}, err
}

// skipNested skips an array or object of any depth without reading its content.
func (p *parser) skipNested() error {
	for depth := 0; p.pos < len(p.text); {
		switch p.text[p.pos] {
		case '"':
			if _, _, err := p.stringText(); err != nil {
				return err
			}
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		p.pos++
		if depth == 0 {
			return nil
		}
	}
	return p.unexpected("the end of an array or object")
}
