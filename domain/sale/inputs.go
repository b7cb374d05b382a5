package sale

import (
	"io"

	"ticketgate/domain/decode"
)

// Inputs of GraphQL decode themselves if they have optional fields or scalars of the schema (BODY-3). gqlgen demands a MarshalGQL
// beside each UnmarshalGQL, and calls none of an input.

// UnmarshalGQL reads a GraphQL literal or variable.
func (c *PurchaseIntentChange) UnmarshalGQL(v any) error { return decode.Input(v, c) }

// MarshalGQL writes null.
func (*PurchaseIntentChange) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (n *NewPurchaseIntent) UnmarshalGQL(v any) error { return decode.Input(v, n) }

// MarshalGQL writes null.
func (*NewPurchaseIntent) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *CheckoutFilter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*CheckoutFilter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *InvoiceFilter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*InvoiceFilter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *PurchaseIntentFilter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*PurchaseIntentFilter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

// UnmarshalGQL reads a GraphQL literal or variable.
func (f *TransactionFilter) UnmarshalGQL(v any) error { return decode.Input(v, f) }

// MarshalGQL writes null.
func (*TransactionFilter) MarshalGQL(w io.Writer) { decode.NoOutput(w) }
