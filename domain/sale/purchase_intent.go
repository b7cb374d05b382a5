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

// PurchaseIntent is that somebody wants to buy: an order that the seller approves or rejects before it is paid. It is stored
// and shown as one document.
type PurchaseIntent struct {
	ID       string               `json:"_id"`
	SellerID ids.Seller           `json:"sellerId"`
	Status   PurchaseIntentStatus `json:"status"`

	Order //nolint:embeddedstructfieldcheck // members are shown in this order
	Buyer

	Identification []identification.Document `json:"identification,omitempty"`

	// ExpiresAt is the instant from which on it can only expire; without one it never does.
	ExpiresAt *moment.DateTime `json:"expiresAt,omitempty"`
	CreatedBy domain.Creator   `json:"createdBy"`
	CreatedAt moment.DateTime  `json:"createdAt"`
	UpdatedAt moment.DateTime  `json:"updatedAt"`

	// The fields below are for programs written for other platforms. All but ApprovalStatus repeat others, so they are set
	// whenever a purchase intent is written, and never read (WEBHOOK-21).
	ApprovalStatus *ApprovalStatus `json:"approvalStatus,omitempty"`
	Tickets        []OrderItem     `json:"tickets"`
	InnerCharge    document.Number `json:"innerCharge"`
	OuterCharge    document.Number `json:"outerCharge"`
	Charges        Charges         `json:"charges"`
	BuyerAliases
}

// Charges are what the seller and the buyer pay on top of an order. There are none yet.
type Charges struct {
	InnerCharge document.Number `json:"innerCharge"`
	OuterCharge document.Number `json:"outerCharge"`
}

// ApprovalStatus is what the seller said to a purchase intent, also after it has ended.
type ApprovalStatus string

// The approval statuses.
const (
	ApprovalAwaiting ApprovalStatus = "awaiting"
	ApprovalApproved ApprovalStatus = "approved"
	ApprovalRejected ApprovalStatus = "rejected"
)

// approval returns what the status says of the approval. An ended purchase intent keeps what was stored with it: nil if it
// ended before approvals were stored.
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

// MarshalJSON writes the purchase intent with the fields that follow from others.
func (p PurchaseIntent) MarshalJSON() ([]byte, error) {
	type plain PurchaseIntent
	p.Order, p.ApprovalStatus, p.BuyerAliases = p.Order.shown(), p.approval(), p.aliases()
	p.Tickets, p.InnerCharge, p.OuterCharge, p.Charges = p.Items, noCharge, noCharge, Charges{noCharge, noCharge}
	return json.Marshal(plain(p))
}

// PurchaseIntentStatus is how far a purchase intent has come, in the words of its events (spec 6.1).
type PurchaseIntentStatus string

// The statuses. The first two are open; the others are final.
const (
	IntentCreated   PurchaseIntentStatus = "CREATED"
	IntentApproved  PurchaseIntentStatus = "APPROVED"
	IntentRejected  PurchaseIntentStatus = "REJECTED"
	IntentExpired   PurchaseIntentStatus = "EXPIRED"
	IntentCancelled PurchaseIntentStatus = "CANCELLED"
	IntentCompleted PurchaseIntentStatus = "COMPLETED"
)

// Names lists every status.
func (PurchaseIntentStatus) Names() []string {
	return []string{"CREATED", "APPROVED", "REJECTED", "EXPIRED", "CANCELLED", "COMPLETED"}
}

// MarshalGQL writes the status, which GraphQL spells alike.
func (s PurchaseIntentStatus) MarshalGQL(w io.Writer) { document.MarshalName(w, string(s)) }

// UnmarshalGQL reads a status.
func (s *PurchaseIntentStatus) UnmarshalGQL(from any) error { return readName(s, from) }

// ReadPurchaseIntent reads a stored document.
func ReadPurchaseIntent(text []byte) (PurchaseIntent, error) {
	var intent PurchaseIntent
	err := json.Unmarshal(text, &intent)
	intent.ApprovalStatus = intent.approval()
	return intent, err
}

// Document is the purchase intent as it is stored and as webhooks show it (decisions 7.2).
func (p PurchaseIntent) Document() ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return ecmajson.Canonical(text)
}

// PurchaseIntentOf names a purchase intent for lists.
func PurchaseIntentOf(p PurchaseIntent) string { return p.ID }

// expired tells that its time is over: at expiresAt itself it is (decisions 4.7).
func (p PurchaseIntent) expired(now time.Time) bool {
	return p.ExpiresAt != nil && !now.Before(p.ExpiresAt.Time)
}

// same tells whether two states of a purchase intent show alike.
func (p PurchaseIntent) same(other PurchaseIntent) (bool, error) {
	mine, err := p.Document()
	if err != nil {
		return false, err
	}
	others, err := other.Document()
	return bytes.Equal(mine, others), err
}

// event tells of the purchase intent (decisions 7.5).
func (p PurchaseIntent) event(kind domain.EventType) (domain.Event, error) {
	text, err := p.Document()
	data := append(append([]byte(`{"purchaseIntent":`), text...), '}')
	return domain.Event{SellerID: p.SellerID, Type: kind, Data: data}, err
}

// audited is what the audit log keeps of a change: nothing of the buyer, since nothing is ever removed from the log.
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
