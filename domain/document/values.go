package document

import (
	"io"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// Number is an exact number of a document, in the digits that ECMAScript prints. The zero value is 0.
type Number string

// String returns the digits of the number.
func (n Number) String() string {
	if n == "" {
		return "0"
	}
	return string(n)
}

// MarshalJSON writes the digits.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalJSON reads a number that must be exact (VALUE-3).
func (n *Number) UnmarshalJSON(text []byte) error {
	value, err := ecmajson.Parse(text, ecmajson.Limits{})
	if err != nil {
		return err
	}
	*n, err = numberOf(value)
	return err
}

// MarshalGQL writes the digits as a GraphQL scalar.
func (n Number) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, n.String()) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *Number) UnmarshalGQL(from any) error {
	value, err := ecmajson.FromGo(from)
	if err != nil {
		return err
	}
	*n, err = numberOf(value)
	return err
}

func numberOf(value ecmajson.Value) (Number, error) {
	if value.Kind() != ecmajson.Number {
		return "", moment.MisfitError("must be a number")
	}
	return Number(value.Number()), nil
}

// Texts is one text or an array of texts, kept as sent.
type Texts struct{ value ecmajson.Value }

// List returns the texts.
func (t Texts) List() []string {
	if t.value.Kind() == ecmajson.String {
		return []string{t.value.Text()}
	}
	list := make([]string, len(t.value.Elements()))
	for i, element := range t.value.Elements() {
		list[i] = element.Text()
	}
	return list
}

// MarshalJSON writes the value as it was read.
func (t Texts) MarshalJSON() ([]byte, error) { return t.value.MarshalJSON() }

// UnmarshalJSON reads a value that was checked before.
func (t *Texts) UnmarshalJSON(text []byte) error { return t.value.UnmarshalJSON(text) }

// MarshalGQL writes the value as a GraphQL scalar.
func (t Texts) MarshalGQL(w io.Writer) { t.value.MarshalGQL(w) }

// UnmarshalGQL reads a GraphQL literal or variable without checking it.
func (t *Texts) UnmarshalGQL(from any) error { return t.value.UnmarshalGQL(from) }
