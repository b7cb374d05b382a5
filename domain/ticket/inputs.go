package ticket

import (
	"io"

	"ticketgate/domain/decode"
)

// GraphQL inputs with optional fields or custom scalars decode themselves (BODY-3). gqlgen requires a MarshalGQL with
// each UnmarshalGQL, but never calls it for an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *Filter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*Filter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
