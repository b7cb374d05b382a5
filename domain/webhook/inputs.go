package webhook

import (
	"io"

	"ticketgate/domain/decode"
)

// Inputs of GraphQL with optional fields decode themselves (BODY-3). gqlgen demands a MarshalGQL beside each UnmarshalGQL, and
// calls none of an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *NewWebhook) UnmarshalGQL(v any) error { return decode.Input(v, n) }

// MarshalGQL writes null.
func (*NewWebhook) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *Change) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*Change) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
