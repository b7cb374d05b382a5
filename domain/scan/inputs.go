package scan

import (
	"io"

	"ticketgate/domain/decode"
)

// Inputs of GraphQL with optional fields decode themselves (BODY-3). gqlgen demands a MarshalGQL beside each UnmarshalGQL, and
// calls none of an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *NewDevice) UnmarshalGQL(v any) error { return decode.Input(v, n) }

// MarshalGQL writes null.
func (*NewDevice) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *DeviceChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*DeviceChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (g *NewGroup) UnmarshalGQL(v any) error { return decode.Input(v, g) }

// MarshalGQL writes null.
func (*NewGroup) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *GroupChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*GroupChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
