package ecmajson

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// The messages about a number leave out the literal, which may be a megabyte long; the path identifies it.
var (
	errTooLarge  = errors.New("is too large for a number: the largest is 1.7976931348623157e+308")
	errTooSmall  = errors.New("is too close to zero for a number: the smallest is 5e-324")
	errTooLong   = errors.New("has more digits than a number can hold (at most 17): " + orString("fewer"))
	errNotFinite = errors.New("is not a finite number")
)

// orString suggests what to send instead. A string may be refused as well, which only the caller of the reader knows.
func orString(number string) string {
	return "send " + number + ", or a string where one is allowed"
}

// CheckNumber parses a JSON number and refuses one that a double would change (VALUE-3): the shortest decimal of the
// result must equal the decimal written, in any spelling. 10.50 and 1e21 pass, 9007199254740993 does not. -0 is 0. The
// error's message can be shown to the sender.
func CheckNumber(literal string) (float64, error) {
	end, fault := scanNumber(literal)
	switch {
	case fault != "":
		return 0, errors.New("is not a JSON number: " + fault)
	case end != len(literal):
		return 0, errors.New("is not a JSON number: nothing may follow its digits")
	}
	var buffer [32]byte
	_, number, err := exactPrint(buffer[:0], literal)
	return number, err
}

// AppendNumber appends the print of ECMA-262's Number::toString. NaN and the infinities become null, as in
// JSON.stringify.
func AppendNumber(dst []byte, f float64) []byte {
	size := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return append(dst, "null"...)
	case f == 0:
		return append(dst, '0') // also for -0
	case size >= 1e-6 && size < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go pads an exponent to two digits and ECMAScript does not: e-07 is e-7.
	if tail := len(dst) - 2; dst[tail] == '0' && (dst[tail-1] == '-' || dst[tail-1] == '+') {
		dst = append(dst[:tail], dst[tail+1])
	}
	return dst
}

// canonicalNumber returns the print of a number that scanNumber has accepted.
func canonicalNumber(literal string) (string, error) {
	if isShortInteger(literal) {
		return literal, nil
	}
	var buffer [32]byte
	printed, _, err := exactPrint(buffer[:0], literal)
	if err != nil {
		return "", err
	}
	if string(printed) == literal {
		return literal, nil // avoids a second copy of the same text
	}
	return string(printed), nil
}

// isShortInteger reports whether a number is an integer of up to 15 digits. It equals its print, because it fits a
// double's 53 bits.
func isShortInteger(literal string) bool {
	if len(literal) > 15 {
		return false
	}
	for i := range len(literal) {
		if !isDigit(literal, i) {
			return false
		}
	}
	return true
}

// exactPrint appends the print of a number's value to dst if both are the same decimal. It counts digits before
// converting them, so that refused numbers cost no slow conversion.
func exactPrint(dst []byte, literal string) ([]byte, float64, error) {
	written, ok := decimalOf(literal)
	if !ok {
		return nil, 0, errTooLong
	}
	if written.count == 0 {
		return append(dst, '0'), 0, nil
	}
	number := written.float()
	switch {
	case math.IsInf(number, 0):
		return nil, 0, errTooLarge
	case number == 0:
		return nil, 0, errTooSmall
	}
	printed := AppendNumber(dst, number)
	if kept, _ := decimalOf(string(printed)); kept != written {
		return nil, 0, errors.New("would be changed to " + string(printed) + " by readers of JSON: " + orString("that"))
	}
	return printed, number, nil
}

// scanNumber returns the end of the JSON number that s starts with. A fault says what is missing at that end. The
// grammar is checked only here: strconv also accepts hexadecimal, underscores, "Inf" and leading zeros.
func scanNumber(s string) (end int, fault string) {
	start := 0
	if strings.HasPrefix(s, "-") {
		start = 1
	}
	end = skipDigits(s, start)
	switch {
	case end == start:
		return end, "a number needs a digit here"
	case s[start] == '0' && end > start+1:
		return start, "a number has no leading zeros"
	}
	if end < len(s) && s[end] == '.' {
		start, end = end+1, skipDigits(s, end+1)
		if end == start {
			return end, "a decimal point needs a digit after it"
		}
	}
	if end < len(s) && (s[end] == 'e' || s[end] == 'E') {
		return scanExponent(s, end+1)
	}
	return end, ""
}

// scanExponent continues after the letter e.
func scanExponent(s string, start int) (end int, fault string) {
	if start < len(s) && (s[start] == '+' || s[start] == '-') {
		start++
	}
	if end = skipDigits(s, start); end == start {
		return end, "an exponent needs a digit"
	}
	return end, ""
}

func skipDigits(s string, i int) int {
	for isDigit(s, i) {
		i++
	}
	return i
}

// isDigit reports whether s has a digit at i. At the end of s it reports false, so callers need no bounds check.
func isDigit(s string, i int) bool {
	return i < len(s) && '0' <= s[i] && s[i] <= '9'
}
