package sale

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// PurchaseIntent is an order that the seller approves or rejects before it is paid. It is stored and published as one
// document.
type PurchaseIntent struct {
	ID       string               `json:"_id"`
	SellerID ids.Seller           `json:"sellerId"`
	Status   PurchaseIntentStatus `json:"status"`

	Order //nolint:embeddedstructfieldcheck // the order of fields in JSON
	Buyer

	Identification []identification.Document `json:"identification,omitempty"`

	// ExpiresAt is the time from which the purchase intent can only expire. If nil, it never expires.
	ExpiresAt *moment.DateTime `json:"expiresAt,omitempty"`
	CreatedBy domain.Creator   `json:"createdBy"`
	CreatedAt moment.DateTime  `json:"createdAt"`
	UpdatedAt moment.DateTime  `json:"updatedAt"`

	// The fields below are for programs written for other platforms. All but ApprovalStatus are derived from other fields:
	// set on output and ignored on input (WEBHOOK-21).
	ApprovalStatus *ApprovalStatus `json:"approvalStatus,omitempty"`
	Tickets        []OrderItem     `json:"tickets"`
	InnerCharge    document.Number `json:"innerCharge"`
	OuterCharge    document.Number `json:"outerCharge"`
	Charges        Charges         `json:"charges"`
	BuyerAliases
}

// Charges are the fees of the seller and the buyer for an order. They are always 0.
type Charges struct {
	InnerCharge document.Number `json:"innerCharge"`
	OuterCharge document.Number `json:"outerCharge"`
}

// ApprovalStatus is the seller's decision on a purchase intent. It is kept after the purchase intent has ended.
type ApprovalStatus string

// The approval statuses.
const (
	ApprovalAwaiting ApprovalStatus = "awaiting"
	ApprovalApproved ApprovalStatus = "approved"
	ApprovalRejected ApprovalStatus = "rejected"
)

// approval returns the approval status that follows from the status. An ended purchase intent keeps the stored value, which
// is nil if it ended before approvals were stored.
func (p PurchaseIntent) approval() *ApprovalStatus {
	switch p.Status {
	case IntentCreated:
		return new(ApprovalAwaiting)
	case IntentApproved:
		return new(ApprovalApproved)
	case IntentRejected:
		return new(ApprovalRejected)
	case IntentExpired, IntentCancelled, IntentCompleted:
	}
	return p.ApprovalStatus
}

// MarshalJSON writes the purchase intent with its derived fields.
func (p PurchaseIntent) MarshalJSON() ([]byte, error) {
	type plain PurchaseIntent
	p.Order, p.ApprovalStatus, p.BuyerAliases = p.Order.shown(), p.approval(), p.aliases()
	p.Tickets, p.InnerCharge, p.OuterCharge, p.Charges = p.Items, noCharge, noCharge, Charges{noCharge, noCharge}
	return json.Marshal(plain(p))
}

// PurchaseIntentStatus is the status of a purchase intent, named like its events.
type PurchaseIntentStatus string

// The purchase intent statuses. The first two are open. The others are final.
const (
	IntentCreated   PurchaseIntentStatus = "CREATED"
	IntentApproved  PurchaseIntentStatus = "APPROVED"
	IntentRejected  PurchaseIntentStatus = "REJECTED"
	IntentExpired   PurchaseIntentStatus = "EXPIRED"
	IntentCancelled PurchaseIntentStatus = "CANCELLED"
	IntentCompleted PurchaseIntentStatus = "COMPLETED"
)

// Names returns all statuses.
func (PurchaseIntentStatus) Names() []string {
	return []string{"CREATED", "APPROVED", "REJECTED", "EXPIRED", "CANCELLED", "COMPLETED"}
}

// MarshalGQL writes the status under its GraphQL name, which is the same.
func (s PurchaseIntentStatus) MarshalGQL(w io.Writer) { document.MarshalName(w, string(s)) }

// UnmarshalGQL reads a status by its GraphQL name.
func (s *PurchaseIntentStatus) UnmarshalGQL(from any) error { return readName(s, from) }

// ReadPurchaseIntent parses a stored document.
func ReadPurchaseIntent(text []byte) (PurchaseIntent, error) {
	var intent PurchaseIntent
	err := json.Unmarshal(text, &intent)
	intent.ApprovalStatus = intent.approval()
	return intent, err
}

// Document returns the purchase intent as it is stored and published in events (SALE-11).
func (p PurchaseIntent) Document() ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return ecmajson.Canonical(text)
}

// PurchaseIntentOf returns a purchase intent's key in lists.
func PurchaseIntentOf(p PurchaseIntent) string { return p.ID }

// expired reports whether the purchase intent's time is over. It is over at ExpiresAt itself (SALE-10).
func (p PurchaseIntent) expired(now time.Time) bool {
	return p.ExpiresAt != nil && !now.Before(p.ExpiresAt.Time)
}

// same reports whether two states of a purchase intent have the same document.
func (p PurchaseIntent) same(other PurchaseIntent) (bool, error) {
	mine, err := p.Document()
	if err != nil {
		return false, err
	}
	others, err := other.Document()
	return bytes.Equal(mine, others), err
}

// event returns an event of the given type with the purchase intent as data (SALE-11).
func (p PurchaseIntent) event(kind domain.EventType) (domain.Event, error) {
	text, err := p.Document()
	data := append(append([]byte(`{"purchaseIntent":`), text...), '}')
	return domain.Event{SellerID: p.SellerID, Type: kind, Data: data}, err
}

// audited returns the audit log entry of a change. It contains no buyer data, because audit entries are never removed.
func (p PurchaseIntent) audited(op domain.Operation, before *PurchaseIntent) domain.Change {
	change := domain.Change{SellerID: p.SellerID, Action: op, Object: "purchaseIntent", ObjectID: p.ID}
	if before == nil {
		return change.Diff(nil, p.shown())
	}
	return change.Diff(before.shown(), p.shown())
}

func (p PurchaseIntent) shown() any {
	return struct {
		Status    PurchaseIntentStatus `json:"status"`
		Items     []OrderItem          `json:"items"`
		ExpiresAt *moment.DateTime     `json:"expiresAt,omitempty"`
	}{p.Status, p.Order.shown().Items, p.ExpiresAt}
}
