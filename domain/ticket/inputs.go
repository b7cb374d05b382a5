package ticket

import (
	"io"

	"ticketgate/domain/decode"
)

// Inputs of GraphQL decode themselves if they have optional fields or scalars of the schema (BODY-3). gqlgen demands a MarshalGQL
// beside each UnmarshalGQL, and calls none of an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *Filter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*Filter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
