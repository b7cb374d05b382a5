package sale

import (
	"io"

	"ticketgate/domain/decode"
)

// GraphQL inputs with optional fields or custom scalars decode themselves (BODY-3). gqlgen requires a MarshalGQL with each
// UnmarshalGQL, but never calls it for an input.

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
