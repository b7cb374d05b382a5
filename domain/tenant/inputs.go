package tenant

import (
	"io"

	"ticketgate/domain/decode"
)

// Inputs of GraphQL decode themselves if they have optional fields or scalars of the schema (BODY-3). gqlgen demands a MarshalGQL
// beside each UnmarshalGQL, and calls none of an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *InvoicingChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*InvoicingChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *SellerChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*SellerChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
