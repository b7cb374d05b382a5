package audit

import (
	"io"

	"ticketgate/domain/decode"
)

// GraphQL inputs with optional fields or schema scalars decode themselves (BODY-3). gqlgen requires a MarshalGQL for
// each UnmarshalGQL, but never calls MarshalGQL of an input.

// UnmarshalGQL decodes a GraphQL literal or variable.
func (f *Filter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*Filter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
