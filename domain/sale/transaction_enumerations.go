package sale

import (
	"io"
	"strings"

	"ticketgate/domain/document"
)

// TransactionStatus is how far a sale has come (spec 2.8).
type TransactionStatus string

// The statuses.
const (
	TransactionNew      TransactionStatus = "NEW"
	TransactionReserved TransactionStatus = "RESERVED-BY-SYSTEM"
	TransactionAborted  TransactionStatus = "ABORTED"
	TransactionComplete TransactionStatus = "COMPLETE"
	TransactionCanceled TransactionStatus = "CANCELED"
)

// Names lists every status in the specification's order.
func (TransactionStatus) Names() []string {
	return []string{"NEW", "RESERVED-BY-SYSTEM", "ABORTED", "COMPLETE", "CANCELED"}
}

// MarshalGQL writes the status in GraphQL's spelling.
func (s TransactionStatus) MarshalGQL(w io.Writer) { document.MarshalName(w, string(s)) }

// UnmarshalGQL reads GraphQL's spelling.
func (s *TransactionStatus) UnmarshalGQL(from any) error { return readName(s, from) }

// TransactionOrigin is where a sale was made (spec 2.8).
type TransactionOrigin string

// Names lists every origin.
func (TransactionOrigin) Names() []string {
	return []string{"yourticket", "pos", "rebooking", "upgrade", "subscription"}
}

// PaymentMethod is the way of paying (spec 2.8).
type PaymentMethod string

// Names lists every way of paying.
func (PaymentMethod) Names() []string {
	return []string{"paypal", "stripe", "local", "external", "service-payments"}
}

// MarshalGQL writes the way of paying in GraphQL's spelling.
func (m PaymentMethod) MarshalGQL(w io.Writer) { document.MarshalName(w, string(m)) }

// UnmarshalGQL reads GraphQL's spelling.
func (m *PaymentMethod) UnmarshalGQL(from any) error { return readName(m, from) }

// PaymentGateway is who handles a payment (spec 2.8).
type PaymentGateway string

// Names lists every gateway.
func (PaymentGateway) Names() []string { return []string{"managed", "external", "local"} }

// PaymentProvider is the provider's type (spec 2.8).
type PaymentProvider string

// Names lists every type of provider.
func (PaymentProvider) Names() []string { return []string{"stripeConnect", "service"} }

// PaymentStatus is how far a payment has come (spec 2.8).
type PaymentStatus string

// Names lists every status of a payment in the specification's order.
func (PaymentStatus) Names() []string {
	return strings.Fields("AWAITING PENDING RECEIVED REFUND CANCELED FAILED DISPUTE CHARGEBACK POS-RECEIVED POS-CANCELED " +
		"LOCAL-PENDING LOCAL-AWAITING LOCAL-RECEIVED EXTERNAL")
}

// MarshalGQL writes the status in GraphQL's spelling.
func (s PaymentStatus) MarshalGQL(w io.Writer) { document.MarshalName(w, string(s)) }

// UnmarshalGQL reads GraphQL's spelling.
func (s *PaymentStatus) UnmarshalGQL(from any) error { return readName(s, from) }

// NoteType is who wrote an entry of the deprecated history (spec 2.8).
type NoteType string

// Names lists every type of note.
func (NoteType) Names() []string { return []string{"PAYMENT", "YOURTICKET", "USER"} }

// Risk is what an entry of the history means for the payment (spec 2.8).
type Risk string

// Names lists every risk.
func (Risk) Names() []string { return []string{"DANGER", "NEUTRAL", "GOOD"} }

// HistoryType is what happened to a transaction (spec 2.8).
type HistoryType string

// PartiallyCanceled is the entry that a partial cancellation leaves in the history.
const PartiallyCanceled HistoryType = "partial.canceled"

// Names lists every type of entry in the specification's order.
func (HistoryType) Names() []string {
	return strings.Fields("created reserved completed completed.manually aborted canceled partial.canceled pos.created " +
		"pos.canceled pos.payment.method.changed payment.canceled payment.authorized payment.failed payment.succeeded " +
		"payment.chargeback payment.localReceived dispute.created dispute.countered dispute.won dispute.lost refunded " +
		"partial.refunded refund.failed partial.refunded.voucher refunded.voucher partial.refunded.balance refunded.balance " +
		"payment.local.added payment_correction.refund.missing_in_core payment_correction.refund.failed " +
		"payment_correction.payment.failed price.recalculated invitation.reserved.mail transaction.resent.mail " +
		"transaction.resent.ticket_mail transaction.resent.voucher_mail tickets.booked transaction.sent.sms commented")
}

// MarshalGQL writes the type in GraphQL's spelling.
func (t HistoryType) MarshalGQL(w io.Writer) { document.MarshalName(w, string(t)) }

// UnmarshalGQL reads GraphQL's spelling.
func (t *HistoryType) UnmarshalGQL(from any) error { return readName(t, from) }

// CancellationReason is why a sale was undone (spec 2.8).
type CancellationReason string

// Names lists every reason.
func (CancellationReason) Names() []string {
	return []string{"REQUESTED_BY_CUSTOMER", "CLAIM", "COMMUNICATION_ERROR", "TRAINING/TEST"}
}

// MarshalGQL writes the reason in GraphQL's spelling.
func (r CancellationReason) MarshalGQL(w io.Writer) { document.MarshalName(w, string(r)) }

// UnmarshalGQL reads GraphQL's spelling.
func (r *CancellationReason) UnmarshalGQL(from any) error { return readName(r, from) }

// TicketItemType is the type of a cart's ticket item (spec 2.8.1).
type TicketItemType string

// Names lists the one type.
func (TicketItemType) Names() []string { return []string{"ticket"} }

// ProductItemType is the type of a cart's product item (spec 2.8.2).
type ProductItemType string

// Names lists the one type.
func (ProductItemType) Names() []string { return []string{"product"} }

// AdditionalItemType is what else a cart may hold (spec 2.8).
type AdditionalItemType string

// Names lists the one type.
func (AdditionalItemType) Names() []string { return []string{"bundle"} }

// CancellableType is what kind of thing can be canceled by itself (spec 2.8).
type CancellableType string

// CancellableTicket is the type of cancellable items that stand for a ticket.
const CancellableTicket CancellableType = "ticket"

// Names lists every kind.
func (CancellableType) Names() []string {
	return []string{"ticket", "product", "fee", "discount", "fulfillment", "insurance"}
}

// FeeType is what a fee is taken for (spec 2.8).
type FeeType string

// Names lists every type of fee in the specification's order.
func (FeeType) Names() []string {
	return strings.Fields("onTicket onFreeTicket onPosTicket onKioskTicket onFreePosTicket onFreeKioskTicket " +
		"onSeasonTicket onHardTicket onTicketCustom onCart onPosCart onKioskCart onFreeCart")
}

// DiscountType is how a discount is reckoned (spec 2.8).
type DiscountType string

// Names lists every type of discount.
func (DiscountType) Names() []string { return []string{"fix", "var", "fixPerItem", "waiveFees"} }

// DiscountCategory is what a discount was given for (spec 2.8).
type DiscountCategory string

// Names lists every category.
func (DiscountCategory) Names() []string {
	return []string{"coupon", "groupDiscount", "posDiscount", "voucher", "system", "modifier"}
}

// PosDiscountType is how a discount at a point of sale is reckoned (spec 2.8).
type PosDiscountType string

// Names lists every type.
func (PosDiscountType) Names() []string { return []string{"TOTAL", "PERCENTAGE", "fix", "var"} }

// readName is the UnmarshalGQL of an enumeration that GraphQL spells otherwise.
func readName[T interface {
	~string
	document.Enum
}](into *T, from any) error {
	name, err := document.UnmarshalName(from, (*into).Names())
	*into = T(name)
	return err
}
