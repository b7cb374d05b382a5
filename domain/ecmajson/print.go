package ecmajson

import "slices"

// Canonical reprints a JSON text as JSON.stringify(JSON.parse(text)) would, or returns Parse's error with the default
// limits.
func Canonical(data []byte) ([]byte, error) {
	value, err := Parse(data, Limits{})
	if err != nil {
		return nil, err
	}
	return value.Append(make([]byte, 0, len(data))), nil
}

// Append appends the ECMAScript print of the value to dst: compact, integer-like names first, with no unnecessary
// escapes. It recurses as deep as the value is nested, which Parse and FromGo have limited.
func (v Value) Append(dst []byte) []byte {
	switch v.kind {
	case String:
		return AppendString(dst, v.text)
	case Array:
		return v.appendArray(dst)
	case Object:
		return v.appendObject(dst)
	case Bool, Number:
		return append(dst, v.text...)
	case Null:
	}
	return append(dst, "null"...)
}

// Print returns the ECMAScript print of the value, in a slice of about its size.
func (v Value) Print() []byte { return v.Append(make([]byte, 0, v.printSize())) }

// printSize returns the length of the print, not counting escapes.
func (v Value) printSize() int {
	const quotes, separators = 2, 2 // a comma and a colon
	size := len(v.text) + quotes
	if v.node == nil {
		return size + quotes
	}
	for _, element := range v.node.elements {
		size += element.printSize() + separators
	}
	for _, field := range v.node.fields {
		size += len(field.Name) + quotes + field.Value.printSize() + separators
	}
	return size
}

// appendArray prints the elements in order.
func (v Value) appendArray(dst []byte) []byte {
	dst = append(dst, '[')
	for i, element := range v.Elements() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element.Append(dst)
	}
	return append(dst, ']')
}

// appendObject prints in ECMAScript's order, which was determined when the value was created.
func (v Value) appendObject(dst []byte) []byte {
	if v.node == nil {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	for i, field := range v.node.printed {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, field.Name), ':')
		dst = field.Value.Append(dst)
	}
	return append(dst, '}')
}

// AppendString appends s, which must be valid UTF-8, in double quotes. It escapes only what JSON.stringify escapes, so
// & < > and U+2028 are kept.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0 // start of the run that needs no escape
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[plain:i]...)
		dst = appendEscape(dst, c)
		plain = i + 1
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}

// appendEscape uses the short form if JSON has one; the slash needs none.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}

// printOrder returns array indices first, in ascending order, followed by the other names as written: the property
// order of ECMA-262.
func printOrder(fields []Field) []Field {
	// Nearly all objects have no such name and share one slice for both orders.
	indexed := slices.ContainsFunc(fields, func(m Field) bool {
		_, ok := arrayIndex(m.Name)
		return ok
	})
	if !indexed {
		return fields
	}
	// Each member becomes one sortable word: 33 bits of rank above 31 bits of position, which keeps the sort stable.
	keys := make([]uint64, len(fields))
	for i, field := range fields {
		keys[i] = nameRank(field.Name)<<31 | uint64(i)
	}
	slices.Sort(keys)
	ordered := make([]Field, len(fields))
	for i, key := range keys {
		ordered[i] = fields[key&(1<<31-1)]
	}
	return ordered
}

// nameRank returns the index that a name denotes, or one rank after every index.
func nameRank(name string) uint64 {
	if index, ok := arrayIndex(name); ok {
		return index
	}
	return maxArrayIndex + 1
}

// maxArrayIndex is 2^32-2, because an array's length must fit 32 bits.
const maxArrayIndex = 1<<32 - 2

// arrayIndex parses a name that is the canonical print of an array index; 01, +1 and 1.0 are ordinary names.
func arrayIndex(name string) (uint64, bool) {
	if name == "" || len(name) > 10 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	index := uint64(0)
	for i := range len(name) {
		if !isDigit(name, i) {
			return 0, false
		}
		index = index*10 + uint64(name[i]-'0')
	}
	return index, index <= maxArrayIndex
}
