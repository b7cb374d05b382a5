package sale

import (
	"io"
	"strings"

	"ticketgate/domain/document"
)

// TransactionStatus is the status of a transaction.
type TransactionStatus string

// The transaction statuses.
const (
	TransactionNew      TransactionStatus = "NEW"
	TransactionReserved TransactionStatus = "RESERVED-BY-SYSTEM"
	TransactionAborted  TransactionStatus = "ABORTED"
	TransactionComplete TransactionStatus = "COMPLETE"
	TransactionCanceled TransactionStatus = "CANCELED"
)

// Names returns all statuses, in the documented order.
func (TransactionStatus) Names() []string {
	return []string{"NEW", "RESERVED-BY-SYSTEM", "ABORTED", "COMPLETE", "CANCELED"}
}

// MarshalGQL writes the status under its GraphQL name.
func (s TransactionStatus) MarshalGQL(w io.Writer) { document.MarshalName(w, string(s)) }

// UnmarshalGQL reads a status by its GraphQL name.
func (s *TransactionStatus) UnmarshalGQL(from any) error { return readName(s, from) }

// TransactionOrigin is the sales channel of a transaction.
type TransactionOrigin string

// Names returns all origins.
func (TransactionOrigin) Names() []string {
	return []string{"yourticket", "pos", "rebooking", "upgrade", "subscription"}
}

// PaymentMethod is a payment method.
type PaymentMethod string

// Names returns all payment methods.
func (PaymentMethod) Names() []string {
	return []string{"paypal", "stripe", "local", "external", "service-payments"}
}

// MarshalGQL writes the payment method under its GraphQL name.
func (m PaymentMethod) MarshalGQL(w io.Writer) { document.MarshalName(w, string(m)) }

// UnmarshalGQL reads a payment method by its GraphQL name.
func (m *PaymentMethod) UnmarshalGQL(from any) error { return readName(m, from) }

// PaymentGateway is the kind of gateway that processes a payment.
type PaymentGateway string

// Names returns all gateways.
func (PaymentGateway) Names() []string { return []string{"managed", "external", "local"} }

// PaymentProvider is the type of a payment provider.
type PaymentProvider string

// Names returns all provider types.
func (PaymentProvider) Names() []string { return []string{"stripeConnect", "service"} }

// PaymentStatus is the status of a payment.
type PaymentStatus string

// Names returns all payment statuses, in the documented order.
func (PaymentStatus) Names() []string {
	return strings.Fields("AWAITING PENDING RECEIVED REFUND CANCELED FAILED DISPUTE CHARGEBACK POS-RECEIVED POS-CANCELED " +
		"LOCAL-PENDING LOCAL-AWAITING LOCAL-RECEIVED EXTERNAL")
}

// MarshalGQL writes the status under its GraphQL name.
func (s PaymentStatus) MarshalGQL(w io.Writer) { document.MarshalName(w, string(s)) }

// UnmarshalGQL reads a status by its GraphQL name.
func (s *PaymentStatus) UnmarshalGQL(from any) error { return readName(s, from) }

// NoteType is the author of an entry in the deprecated history.
type NoteType string

// Names returns all note types.
func (NoteType) Names() []string { return []string{"PAYMENT", "YOURTICKET", "USER"} }

// Risk rates a history entry as good or bad for the payment.
type Risk string

// Names returns all risks.
func (Risk) Names() []string { return []string{"DANGER", "NEUTRAL", "GOOD"} }

// HistoryType is the kind of event that a history entry records.
type HistoryType string

// PartiallyCanceled is the type of the history entry for a partial cancellation.
const PartiallyCanceled HistoryType = "partial.canceled"

// Names returns all entry types, in the documented order.
func (HistoryType) Names() []string {
	return strings.Fields("created reserved completed completed.manually aborted canceled partial.canceled pos.created " +
		"pos.canceled pos.payment.method.changed payment.canceled payment.authorized payment.failed payment.succeeded " +
		"payment.chargeback payment.localReceived dispute.created dispute.countered dispute.won dispute.lost refunded " +
		"partial.refunded refund.failed partial.refunded.voucher refunded.voucher partial.refunded.balance refunded.balance " +
		"payment.local.added payment_correction.refund.missing_in_core payment_correction.refund.failed " +
		"payment_correction.payment.failed price.recalculated invitation.reserved.mail transaction.resent.mail " +
		"transaction.resent.ticket_mail transaction.resent.voucher_mail tickets.booked transaction.sent.sms commented")
}

// MarshalGQL writes the type under its GraphQL name.
func (t HistoryType) MarshalGQL(w io.Writer) { document.MarshalName(w, string(t)) }

// UnmarshalGQL reads a type by its GraphQL name.
func (t *HistoryType) UnmarshalGQL(from any) error { return readName(t, from) }

// CancellationReason is the reason for a cancellation.
type CancellationReason string

// Names returns all reasons.
func (CancellationReason) Names() []string {
	return []string{"REQUESTED_BY_CUSTOMER", "CLAIM", "COMMUNICATION_ERROR", "TRAINING/TEST"}
}

// MarshalGQL writes the reason under its GraphQL name.
func (r CancellationReason) MarshalGQL(w io.Writer) { document.MarshalName(w, string(r)) }

// UnmarshalGQL reads a reason by its GraphQL name.
func (r *CancellationReason) UnmarshalGQL(from any) error { return readName(r, from) }

// TicketItemType is the type of a ticket item in a cart.
type TicketItemType string

// Names returns the only type.
func (TicketItemType) Names() []string { return []string{"ticket"} }

// ProductItemType is the type of a product item in a cart.
type ProductItemType string

// Names returns the only type.
func (ProductItemType) Names() []string { return []string{"product"} }

// AdditionalItemType is the type of any other item in a cart.
type AdditionalItemType string

// Names returns the only type.
func (AdditionalItemType) Names() []string { return []string{"bundle"} }

// CancellableType is the type of a unit that can be canceled separately.
type CancellableType string

// CancellableTicket is the type of cancellable tickets.
const CancellableTicket CancellableType = "ticket"

// Names returns all types.
func (CancellableType) Names() []string {
	return []string{"ticket", "product", "fee", "discount", "fulfillment", "insurance"}
}

// FeeType is the basis on which a fee is charged.
type FeeType string

// Names returns all fee types, in the documented order.
func (FeeType) Names() []string {
	return strings.Fields("onTicket onFreeTicket onPosTicket onKioskTicket onFreePosTicket onFreeKioskTicket " +
		"onSeasonTicket onHardTicket onTicketCustom onCart onPosCart onKioskCart onFreeCart")
}

// DiscountType is the calculation method of a discount.
type DiscountType string

// Names returns all discount types.
func (DiscountType) Names() []string { return []string{"fix", "var", "fixPerItem", "waiveFees"} }

// DiscountCategory is the source of a discount.
type DiscountCategory string

// Names returns all categories.
func (DiscountCategory) Names() []string {
	return []string{"coupon", "groupDiscount", "posDiscount", "voucher", "system", "modifier"}
}

// PosDiscountType is the calculation method of a discount at a point of sale.
type PosDiscountType string

// Names returns all types.
func (PosDiscountType) Names() []string { return []string{"TOTAL", "PERCENTAGE", "fix", "var"} }

// readName implements UnmarshalGQL for enumerations whose GraphQL names may differ from their values.
func readName[T interface {
	~string
	document.Enum
}](into *T, from any) error {
	name, err := document.UnmarshalName(from, (*into).Names())
	*into = T(name)
	return err
}
