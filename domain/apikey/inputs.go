package apikey

import (
	"io"

	"ticketgate/domain/decode"
)

// Inputs of GraphQL decode themselves if they have optional fields or scalars of the schema (BODY-3). gqlgen demands a MarshalGQL
// beside each UnmarshalGQL, and calls none of an input.

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
