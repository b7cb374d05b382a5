package decode

import (
	"math"
	"reflect"
	"strconv"

	"ticketgate/domain/ecmajson"
)

// plain fills a Go value of a basic kind.
func (d *decoder) plain(path string, value source, into reflect.Value) {
	text, isText := value.text()
	switch kind := value.kind(); {
	case into.Kind() == reflect.String && isText:
		into.SetString(text)
	case into.Kind() == reflect.Bool && kind == ecmajson.Bool:
		into.SetBool(value.truth())
	case into.CanInt() && kind == ecmajson.Number:
		d.integer(path, value.number(), into)
	case into.CanFloat() && kind == ecmajson.Number:
		into.SetFloat(doubleOf(value.number()))
	default:
		d.add(path, "must be "+inWords(into)+", not "+kind.InWords())
	}
}

func (d *decoder) integer(path, number string, into reflect.Value) {
	whole, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err == nil && !into.OverflowInt(whole):
		into.SetInt(whole)
	case doubleOf(number) != math.Trunc(doubleOf(number)):
		d.add(path, "must be an integer")
	default:
		d.add(path, "must be an integer of at most 64 bits")
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
