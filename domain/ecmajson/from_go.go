package ecmajson

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// FromGo converts the result of a decoder with UseNumber, under the same rules as Parse and with the default depth.
// GraphQL variables enter this way.
//
// Maps have lost the order of their fields, so these are sorted by name. Lone surrogates can't be detected, because
// decoders have replaced them. A type that no decoder returns is a problem at its path, not a panic.
func FromGo(v any) (Value, error) {
	found := findings{maxDepth: DefaultMaxDepth}
	return found.result(found.fromGo(v))
}

// fromGo adds problems and continues, so that all of them are found.
func (f *findings) fromGo(v any) Value {
	switch v := v.(type) {
	case nil:
		return Value{}
	case bool:
		return newBool(v)
	case string:
		f.addFaults(checkText(v))
		return Value{kind: String, text: v}
	case map[string]any:
		return f.fromMap(v)
	case []any:
		return f.fromSlice(v)
	case json.RawMessage:
		return f.fromRaw(v)
	case Value:
		return v
	}
	return f.fromNumber(v)
}

// fromNumber accepts Go's integers too: 64 bits hold more digits than a double.
func (f *findings) fromNumber(v any) Value {
	switch v := v.(type) {
	case json.Number:
		return f.fromLiteral(string(v))
	case float64:
		return f.fromFloat(v)
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return f.fromLiteral(fmt.Sprint(v))
	}
	f.add(fmt.Sprintf("has the type %T, which has no JSON form", v))
	return Value{}
}

// fromLiteral checks the grammar too, because a json.Number can be any string.
func (f *findings) fromLiteral(literal string) Value {
	number, err := CheckNumber(literal)
	if err != nil {
		f.add(err.Error())
	}
	return Value{kind: Number, text: string(AppendNumber(nil, number))}
}

// fromFloat needs no check of digits: a double always equals its own print.
func (f *findings) fromFloat(number float64) Value {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		f.add(errNotFinite.Error())
	}
	return Value{kind: Number, text: string(AppendNumber(nil, number))}
}

// fromMap needs no check for repeated names, because a map has each once.
func (f *findings) fromMap(fields map[string]any) Value {
	if f.descend() != nil {
		return Value{}
	}
	members := make([]Field, 0, len(fields))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f.push(step{name: name, index: -1})
		f.addFaults(checkText(name))
		members = append(members, Field{Name: name, Value: f.fromGo(fields[name])})
		f.pop()
	}
	return newObject(members)
}

// fromSlice keeps the order.
func (f *findings) fromSlice(items []any) Value {
	if f.descend() != nil {
		return Value{}
	}
	elements := make([]Value, len(items))
	for i, item := range items {
		f.push(step{index: i})
		elements[i] = f.fromGo(item)
		f.pop()
	}
	return newArray(elements)
}

// fromRaw parses a part that was left as text. Empty is null, as in encoding/json.
func (f *findings) fromRaw(raw json.RawMessage) Value {
	if len(raw) == 0 {
		return Value{}
	}
	at := len(f.path)
	p := parser{findings: f, text: string(raw), left: math.MaxInt}
	value, err := p.document()
	f.path = f.path[:at] // a failed parse leaves its steps on the path
	if syntax, ok := errors.AsType[*SyntaxError](err); ok {
		f.add("is not JSON at byte " + strconv.Itoa(syntax.Offset) + ": " + syntax.Message)
	}
	return value
}
