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

// FromGo makes a Value of what a decoder with UseNumber produces, under the same
// rules and the default depth. GraphQL variables come in this way.
//
// Maps have lost the order of their members, so those come sorted by name. Lone
// surrogates can't be seen here: decoders have replaced them already. A type that
// no decoder produces is a problem at its path, not a panic.
func FromGo(v any) (Value, error) {
	found := findings{maxDepth: DefaultMaxDepth}
	return found.result(found.fromGo(v))
}

// fromGo notes what is wrong and goes on, so that all of it is found.
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

// fromNumber takes Go's integers too: 64 bits hold more than a double does.
func (f *findings) fromNumber(v any) Value {
	switch v := v.(type) {
	case json.Number:
		return f.fromLiteral(string(v))
	case float64:
		return f.fromFloat(v)
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return f.fromLiteral(fmt.Sprint(v))
	}
	f.add(fmt.Sprintf("is of the type %T, which stands for no JSON value", v))
	return Value{}
}

// fromLiteral checks the grammar too: a json.Number can be made of any string.
func (f *findings) fromLiteral(literal string) Value {
	number, err := CheckNumber(literal)
	if err != nil {
		f.add(err.Error())
	}
	return Value{kind: Number, text: string(AppendNumber(nil, number))}
}

// fromFloat needs no check of digits: a double is always its own print.
func (f *findings) fromFloat(number float64) Value {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		f.add(errNotFinite.Error())
	}
	return Value{kind: Number, text: string(AppendNumber(nil, number))}
}

// fromMap can meet no name twice, as a map has each once.
func (f *findings) fromMap(fields map[string]any) Value {
	if f.descend() != nil {
		return Value{}
	}
	members := make([]Member, 0, len(fields))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f.push(step{name: name, index: -1})
		f.addFaults(checkText(name))
		members = append(members, Member{Name: name, Value: f.fromGo(fields[name])})
		f.pop()
	}
	return newObject(members)
}

// fromSlice keeps the order, as an array's is part of its value.
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

// fromRaw reads a part that was left as text. Empty is null, as encoding/json has it.
func (f *findings) fromRaw(raw json.RawMessage) Value {
	if len(raw) == 0 {
		return Value{}
	}
	at := len(f.path)
	p := parser{findings: f, text: string(raw), left: math.MaxInt}
	value, err := p.document()
	f.path = f.path[:at] // a reading that failed leaves its steps behind
	if syntax, ok := errors.AsType[*SyntaxError](err); ok {
		f.add("is not JSON at byte " + strconv.Itoa(syntax.Offset) + ": " + syntax.Message)
	}
	return value
}
