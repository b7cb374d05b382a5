package catalog

import (
	"io"

	"ticketgate/domain/decode"
)

// GraphQL inputs with optional fields or custom scalars decode themselves (BODY-3). gqlgen requires a MarshalGQL with
// each UnmarshalGQL, but never calls it for an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *CustomerChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*CustomerChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *EventChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*EventChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *ScanZoneChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*ScanZoneChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *TicketTypeChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*TicketTypeChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *NewEvent) UnmarshalGQL(v any) error { return decode.Input(v, n) }

// MarshalGQL writes null.
func (*NewEvent) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *EventFilter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*EventFilter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *NewTicketType) UnmarshalGQL(v any) error { return decode.Input(v, n) }

// MarshalGQL writes null.
func (*NewTicketType) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *CustomerFilter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*CustomerFilter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
