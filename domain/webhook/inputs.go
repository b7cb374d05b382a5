package webhook

import (
	"io"

	"ticketgate/domain/decode"
)

// GraphQL inputs with optional fields or custom scalars decode themselves (BODY-3). gqlgen requires MarshalGQL next to
// UnmarshalGQL, but never calls it for an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *NewWebhook) UnmarshalGQL(v any) error { return decode.Input(v, n) }

// MarshalGQL writes null.
func (*NewWebhook) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *Change) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*Change) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (e *NewEvent) UnmarshalGQL(v any) error { return decode.Input(v, e) }

// MarshalGQL writes null.
func (*NewEvent) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *NewEvents) UnmarshalGQL(v any) error { return decode.Input(v, n) }

// MarshalGQL writes null.
func (*NewEvents) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (e *TestEvent) UnmarshalGQL(v any) error { return decode.Input(v, e) }

// MarshalGQL writes null.
func (*TestEvent) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *DeliveryFilter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*DeliveryFilter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
