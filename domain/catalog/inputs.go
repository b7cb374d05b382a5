package catalog

import (
	"io"

	"ticketgate/domain/decode"
)

// Inputs of GraphQL with optional fields decode themselves (BODY-3). gqlgen demands a MarshalGQL beside each UnmarshalGQL, and
// calls none of an input.

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
