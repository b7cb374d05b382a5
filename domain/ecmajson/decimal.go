package ecmajson

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits is the maximum number of significant digits in the shortest print of a double. A decimal with more can
// never equal such a print.
const maxDigits = 17

// decimal is a number as its significant digits, without zeros at either end,
// times a power of ten. Two decimals are the same number exactly when they are ==.
type decimal struct {
	negative bool
	digits   [maxDigits]byte
	count    int
	exponent int
}

// decimalOf parses a JSON number. It returns false for a number with more than maxDigits significant digits.
func decimalOf(literal string) (decimal, bool) {
	mantissa, exponent := splitExponent(literal)
	unsigned, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(unsigned, ".")
	d, last := decimal{negative: negative}.collect(whole, 0, 0)
	d, last = d.collect(fraction, len(whole), last)
	if d.count == 0 {
		return decimal{}, true
	}
	d.exponent = len(whole) - last + exponent
	return d, d.count <= maxDigits
}

// float returns the nearest double: infinite if the number is too large, 0 if it is too small. It works on the decimal
// instead of the literal, because ParseFloat loses count of zeros after 800 digits.
func (d decimal) float() float64 {
	magnitude := d.count + d.exponent // the number lies in [10^(magnitude-1), 10^magnitude)
	switch {
	case magnitude > 309:
		return math.Inf(1)
	case magnitude < -323:
		return 0
	case d.isSubnormal(magnitude):
		return d.subnormal()
	}
	var short [48]byte
	number, _ := strconv.ParseFloat(string(d.append(short[:0])), 64) // out of range is infinite
	return number
}

// smallestNormal is the smallest double of full precision.
var smallestNormal, _ = decimalOf("2.2250738585072014e-308")

// isSubnormal reports whether a number is less than smallestNormal. Digits of equal magnitude compare like text.
func (d decimal) isSubnormal(magnitude int) bool {
	return magnitude < -307 || magnitude == -307 && bytes.Compare(d.digits[:], smallestNormal.digits[:]) < 0
}

// subnormal converts to a multiple of 2^-1074. ParseFloat takes some 30 microseconds for each such number, so that a
// body full of them would keep a processor busy for seconds. Ties can't occur: they have hundreds of digits.
func (d decimal) subnormal() float64 {
	mantissa, _ := strconv.ParseUint(string(d.appendDigits(nil)), 10, 64) // 17 digits fit
	half := new(big.Int).SetUint64(mantissa)
	// Counted in halves of 2^-1074, to round below; of 10^n only 5^n is left to
	// divide by when 2^n is taken off the shift.
	tens := -d.exponent
	half.Lsh(half, uint(1075-tens))
	half.Quo(half, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(tens)), nil))
	number := math.Ldexp(float64((half.Uint64()+1)/2), -1074)
	if d.negative {
		return -number
	}
	return number
}

// append adds the decimal in a form of bounded length, such as -105e-1.
func (d decimal) append(dst []byte) []byte {
	if d.negative {
		dst = append(dst, '-')
	}
	dst = append(d.appendDigits(dst), 'e')
	return strconv.AppendInt(dst, int64(d.exponent), 10)
}

func (d decimal) appendDigits(dst []byte) []byte {
	for _, digit := range d.digits[:d.count] {
		dst = append(dst, digit|'0') // zeros in between were left out as 0 bytes
	}
	return dst
}

// collect adds the digits of one side of the decimal point. Positions are counted from the first digit written; last is
// the position after the last digit that is not zero. Zeros count only once such a digit follows.
func (d decimal) collect(digits string, offset, last int) (decimal, int) {
	for i := range len(digits) {
		if digits[i] == '0' {
			continue
		}
		place := offset + i
		if d.count > 0 {
			d.count += place - last // the zeros in between stay 0 bytes
		}
		if d.count < maxDigits {
			d.digits[d.count] = digits[i]
		}
		d.count++
		last = place + 1
	}
	return d, last
}

// splitExponent splits a number at its e. An exponent beyond 32 bits is clamped, which is still far from any that a
// double can have.
func splitExponent(literal string) (string, int) {
	at := strings.IndexAny(literal, "eE")
	if at < 0 {
		return literal, 0
	}
	exponent, _ := strconv.ParseInt(literal[at+1:], 10, 32)
	return literal[:at], int(exponent)
}
