package sale

import (
	"math/big"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// exact returns the value of number without binary rounding.
func exact(number document.Number) *big.Rat {
	value, ok := new(big.Rat).SetString(number.String())
	if !ok {
		return new(big.Rat) // unreachable: a Number is always numeric
	}
	return value
}

// nearest returns the JSON number closest to value: 0.1 + 0.2 becomes 0.3.
func nearest(value *big.Rat) document.Number {
	float, _ := value.Float64()
	return document.Number(ecmajson.AppendNumber(nil, float))
}

// times returns count × price.
func times(count int, price document.Number) *big.Rat {
	return new(big.Rat).Mul(big.NewRat(int64(count), 1), exact(price))
}

// minus returns a - b.
func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

// rounded rounds value to the given number of decimals, halves away from zero, as is usual for money.
func rounded(value *big.Rat, decimals int) *big.Rat {
	result, _ := new(big.Rat).SetString(value.FloatString(decimals))
	return result
}
