package edge

import (
	"slices"
	"strings"
)

// splitQuoted splits the value of a header at a separator outside quoted strings, and trims the parts. It parses from
// the end, which the nearest proxy wrote. A quote that a client left open then affects only the text before it.
func splitQuoted(value string, separator byte) []string {
	parts := make([]string, 0, 1+strings.Count(value, string(separator)))
	end, quoted := len(value), false
	for i := len(value) - 1; i >= 0; i-- {
		switch {
		case value[i] == '"' && (!quoted || !escaped(value, i)):
			quoted = !quoted
		case value[i] == separator && !quoted:
			parts = append(parts, strings.TrimSpace(value[i+1:end]))
			end = i
		}
	}
	parts = append(parts, strings.TrimSpace(value[:end]))
	slices.Reverse(parts)
	return parts
}

// escaped reports whether an odd number of backslashes precedes a position.
func escaped(value string, at int) bool {
	before := strings.TrimRight(value[:at], `\`)
	return (at-len(before))%2 == 1
}

// unquoted returns the content of a quoted string, or any other value unchanged.
func unquoted(value string) string {
	inside, ok := strings.CutPrefix(value, `"`)
	if !ok {
		return value
	}
	inside, ok = strings.CutSuffix(inside, `"`)
	if !ok {
		return value
	}
	var text strings.Builder
	for i := 0; i < len(inside); i++ {
		if inside[i] == '\\' && i+1 < len(inside) {
			i++
		}
		text.WriteByte(inside[i])
	}
	return text.String()
}
