package tenant

import (
	"io"

	"ticketgate/domain/decode"
)

// GraphQL inputs with optional fields or schema scalars decode themselves (BODY-3). gqlgen requires a MarshalGQL for
// each UnmarshalGQL, but never calls MarshalGQL of an input.

// UnmarshalGQL decodes a GraphQL literal or variable.
func (c *InvoicingChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*InvoicingChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL decodes a GraphQL literal or variable.
func (c *SellerChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*SellerChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
