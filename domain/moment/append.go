package moment

// Append appends the wire form to JSON, in quotes.
func (d DateTime) Append(dst []byte) []byte {
	utc := d.UTC()
	year, month, day := utc.Date()
	if year < 0 || year > 9999 {
		return append(utc.AppendFormat(append(dst, '"'), dateTimeLayout), '"') // not reachable for values from New or Parse
	}
	hour, minute, second := utc.Clock()
	dst = digits(append(dst, '"'), year, 1000)
	dst = digits(append(dst, '-'), int(month), 10)
	dst = digits(append(dst, '-'), day, 10)
	dst = digits(append(dst, 'T'), hour, 10)
	dst = digits(append(dst, ':'), minute, 10)
	dst = digits(append(dst, ':'), second, 10)
	dst = digits(append(dst, '.'), utc.Nanosecond()/1e6, 100)
	return append(dst, 'Z', '"')
}

// digits appends the decimal digits of number, starting at the digit with the value unit.
func digits(dst []byte, number, unit int) []byte {
	for ; unit > 0; unit /= 10 {
		dst = append(dst, byte('0'+number/unit%10))
	}
	return dst
}
