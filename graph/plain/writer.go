package plain

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

// Writer appends values in gqlgen's output format.
type Writer struct {
	// JSON is the output so far.
	JSON []byte

	// gaps are the positions in JSON for the values of fields that aren't plain.
	gaps []int
	// takes counts bytes. It is nil if nothing is counted.
	takes          func(size int) bool
	size, counted  int
	failed, denied bool
}

var _ interface {
	io.Writer
	io.StringWriter
	graphql.Marshaler
} = (*Writer)(nil)

// Write appends JSON.
func (w *Writer) Write(json []byte) (int, error) {
	w.JSON = append(w.JSON, json...)
	return len(json), nil
}

// WriteString appends JSON.
func (w *Writer) WriteString(json string) (int, error) {
	w.JSON = append(w.JSON, json...)
	return len(json), nil
}

// MarshalGQL writes the output.
func (w *Writer) MarshalGQL(to io.Writer) { _, _ = to.Write(w.JSON) }

// Field starts a field and returns its name. The name is empty if the field isn't plain. Its position is then recorded.
func (w *Writer) Field(field *Field) string {
	w.JSON = append(w.JSON, field.key...)
	if field.Name == "" {
		w.gaps = append(w.gaps, len(w.JSON))
	}
	return field.Name
}

// End ends an object.
func (w *Writer) End() {
	w.JSON = append(w.JSON, '}')
	if w.size > 0 && w.takes != nil {
		w.denied = !w.takes(w.size) || w.denied
		w.counted += w.size
	}
	w.size = 0
}

// List starts a list and returns its position.
func (w *Writer) List() (start int) {
	w.JSON = append(w.JSON, '[')
	return len(w.JSON)
}

// Item starts an item of the list at start. It reports whether the item is to be written.
func (w *Writer) Item(start, i, length int) bool {
	switch i {
	case 0:
		return !w.stopped()
	case 1:
		// Assume that the other items are about as long.
		w.JSON = slices.Grow(w.JSON, (len(w.JSON)-start+1)*(length-1)*9/8)
	}
	w.JSON = append(w.JSON, ',')
	return !w.stopped()
}

// EndList ends a list.
func (w *Writer) EndList() { w.JSON = append(w.JSON, ']') }

// Null writes null. If it isn't allowed, gqlgen has to resolve everything again.
func (w *Writer) Null(allowed bool) {
	w.failed = w.failed || !allowed
	w.JSON = append(w.JSON, "null"...)
}

// Text writes a text and counts its size.
func (w *Writer) Text(text string) {
	w.size += len(text)
	w.String(text)
}

// TextOrNull writes a text and counts its size, or writes null.
func (w *Writer) TextOrNull(text *string, nullAllowed bool) {
	if text == nil {
		w.Null(nullAllowed)
		return
	}
	w.Text(*text)
}

// Count counts bytes of the output.
func (w *Writer) Count(size int) { w.size += size }

const upperHex = "0123456789ABCDEF"

// String writes a text as graphql.MarshalString does.
func (w *Writer) String(text string) { w.JSON = appendText(w.JSON, text) }

func appendText(json []byte, text string) []byte {
	json = append(json, '"')
	start := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		json = append(json, text[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			json = append(json, '\\', c)
		case '\t':
			json = append(json, '\\', 't')
		case '\n':
			json = append(json, '\\', 'n')
		case '\r':
			json = append(json, '\\', 'r')
		default:
			json = append(json, '\\', 'u', '0', '0', upperHex[c>>4], upperHex[c&0xf])
		}
	}
	return append(append(json, text[start:]...), '"')
}

// Int writes an integer.
func (w *Writer) Int(number int64) { w.JSON = strconv.AppendInt(w.JSON, number, 10) }

// Bool writes a boolean.
func (w *Writer) Bool(value bool) { w.JSON = strconv.AppendBool(w.JSON, value) }

// Float writes a number as graphql.MarshalFloatContext does, which refuses values that JSON can't represent.
func (w *Writer) Float(number float64) {
	if math.IsInf(number, 0) || math.IsNaN(number) {
		w.failed = true
		return
	}
	w.JSON = fmt.Appendf(w.JSON, "%g", number)
}

// Scalar writes the result of a scalar's marshal function, or null if the scalar has no value.
func (w *Writer) Scalar(scalar graphql.Marshaler, nullAllowed bool) {
	w.failed = w.failed || (scalar == graphql.Null && !nullAllowed)
	scalar.MarshalGQL(w)
}

func (w *Writer) stopped() bool { return w.failed || w.denied }
