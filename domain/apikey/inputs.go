package apikey

import (
	"io"

	"ticketgate/domain/decode"
)

// GraphQL inputs with optional fields or custom scalars decode themselves (BODY-3). gqlgen requires MarshalGQL next to
// UnmarshalGQL, but never calls it for an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *NewKey) UnmarshalGQL(v any) error { return decode.Input(v, n) }

// MarshalGQL writes null.
func (*NewKey) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (r *Rotation) UnmarshalGQL(v any) error { return decode.Input(v, r) }

// MarshalGQL writes null.
func (*Rotation) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *Change) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*Change) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *Filter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*Filter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
