package ecmajson

import (
	"io"
)

// MarshalJSON writes the value into a larger JSON text.
func (v Value) MarshalJSON() ([]byte, error) { return v.Print(), nil }

// UnmarshalJSON reads a value from a larger JSON text, under the rules of this package.
func (v *Value) UnmarshalJSON(data []byte) (err error) {
	*v, err = Parse(data, Limits{})
	return err
}

// MarshalGQL writes the value as a GraphQL scalar.
func (v Value) MarshalGQL(w io.Writer) { _, _ = w.Write(v.Print()) }

// UnmarshalGQL reads a GraphQL variable or literal. A variable that is already a Value is taken as it is.
func (v *Value) UnmarshalGQL(from any) (err error) {
	if read, ok := from.(Value); ok {
		*v = read
		return nil
	}
	*v, err = FromGo(from)
	return err
}
