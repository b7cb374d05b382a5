package scan

import (
	"io"

	"ticketgate/domain/decode"
)

// GraphQL inputs with optional fields or custom scalars decode themselves (BODY-3). gqlgen requires MarshalGQL next to
// UnmarshalGQL, but never calls it for an input.

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

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *DeviceFilter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*DeviceFilter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (s *TicketSpan) UnmarshalGQL(v any) error { return decode.Input(v, s) }

// MarshalGQL writes null.
func (*TicketSpan) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *Filter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*Filter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (s *Simulation) UnmarshalGQL(v any) error { return decode.Input(v, s) }

// MarshalGQL writes null.
func (*Simulation) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (u *Uploaded) UnmarshalGQL(v any) error { return decode.Input(v, u) }

// MarshalGQL writes null.
func (*Uploaded) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
