package decode

import (
	"math"
	"reflect"
	"strconv"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

func decodeScalar(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	switch {
	case into.Kind() == reflect.String && value.Kind() == ecmajson.String:
		into.SetString(value.Text())
	case into.Kind() == reflect.Bool && value.Kind() == ecmajson.Bool:
		into.SetBool(value.Bool())
	case into.CanInt() && value.Kind() == ecmajson.Number:
		decodeInteger(p, path, value.Number(), into)
	case into.CanFloat() && value.Kind() == ecmajson.Number:
		into.SetFloat(doubleOf(value.Number()))
	default:
		p.Add(path, "must be "+inWords(into)+", not "+value.Kind().InWords())
	}
}

func decodeInteger(p *domain.Problems, path, number string, into reflect.Value) {
	whole, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err == nil && !into.OverflowInt(whole):
		into.SetInt(whole)
	case doubleOf(number) != math.Trunc(doubleOf(number)):
		p.Add(path, "must be an integer")
	default:
		p.Add(path, "must be an integer of at most 64 bits")
	}
}

// doubleOf returns the value of a JSON number, which ecmajson has found to be one.
func doubleOf(number string) float64 {
	double, _ := strconv.ParseFloat(number, 64)
	return double
}

// inWords returns how an error names what a Go value holds.
func inWords(into reflect.Value) string {
	switch {
	case into.Kind() == reflect.Bool:
		return "true or false"
	case into.CanInt():
		return "an integer"
	case into.CanFloat():
		return "a number"
	}
	return "a string"
}
