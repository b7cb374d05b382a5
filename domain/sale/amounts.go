package sale

import (
	"math/big"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// exact is a number's value, without the rounding of binary fractions.
func exact(number document.Number) *big.Rat {
	value, ok := new(big.Rat).SetString(number.String())
	if !ok {
		return new(big.Rat) // a Number was read from a number
	}
	return value
}

// nearest is the number that the wire has for an exact value: 0.1 and 0.2 make 0.3.
func nearest(value *big.Rat) document.Number {
	float, _ := value.Float64()
	return document.Number(ecmajson.AppendNumber(nil, float))
}

// times is a whole multiple of a price.
func times(count int, price document.Number) *big.Rat {
	return new(big.Rat).Mul(big.NewRat(int64(count), 1), exact(price))
}

// minus is a - b.
func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

// rounded is the nearest value with so many digits behind the decimal point, halves away from zero, as money is rounded.
func rounded(value *big.Rat, decimals int) *big.Rat {
	result, _ := new(big.Rat).SetString(value.FloatString(decimals))
	return result
}
