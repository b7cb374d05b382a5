package sale

import (
	"encoding/json"
	"io"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// CheckoutStatus is the status of a checkout.
type CheckoutStatus string

// The checkout statuses. CheckoutComplete and CheckoutAborted are final.
const (
	// CheckoutNew is a checkout without buyer details.
	CheckoutNew CheckoutStatus = "NEW"
	// CheckoutDetails is a checkout with buyer details.
	CheckoutDetails  CheckoutStatus = "DETAILS"
	CheckoutComplete CheckoutStatus = "COMPLETE"
	CheckoutAborted  CheckoutStatus = "ABORTED"
)

// Names returns all statuses.
func (CheckoutStatus) Names() []string { return []string{"NEW", "DETAILS", "COMPLETE", "ABORTED"} }

// MarshalGQL writes the status under its GraphQL name, which is the same.
func (s CheckoutStatus) MarshalGQL(w io.Writer) { document.MarshalName(w, string(s)) }

// UnmarshalGQL reads a status by its GraphQL name.
func (s *CheckoutStatus) UnmarshalGQL(from any) error { return readName(s, from) }

// Open reports whether a checkout with this status can still change.
func (s CheckoutStatus) Open() bool { return s == CheckoutNew || s == CheckoutDetails }

// Checkout is an order that a buyer is about to pay for. It ends as a transaction or is aborted (SALE-6).
type Checkout struct {
	ID       string         `json:"_id"`
	SellerID ids.Seller     `json:"sellerId"`
	Status   CheckoutStatus `json:"status"`

	Order //nolint:embeddedstructfieldcheck // the order of fields in JSON
	// RegularPrice is the price before discounts. Checkouts have no discounts yet, so it equals RealPrice.
	RegularPrice document.Number `json:"regularPrice"`

	Buyer
	// Phone is not copied to the transaction, which has no such field.
	Phone             *string                   `json:"phone,omitempty"`
	PreferredLanguage *Language                 `json:"preferredLanguage,omitempty"`
	Identification    []identification.Document `json:"identification,omitempty"`

	// TransactionID is set when the checkout is complete.
	TransactionID *string         `json:"transactionId,omitempty"`
	ExpiresAt     moment.DateTime `json:"expiresAt"`
	CreatedAt     moment.DateTime `json:"createdAt"`
	UpdatedAt     moment.DateTime `json:"updatedAt"`

	// Type is always checkoutType, for programs written for other platforms (WEBHOOK-21).
	Type string `json:"type"`
	BuyerAliases

	// Secret authorizes the buyer. It is set only in the response to the creation and in responses to calls made with it.
	Secret string `json:"secret,omitempty"`
}

// checkoutType is the kind of record that a checkout becomes.
const checkoutType = "transaction"

// shownCheckout is a Checkout whose derived fields are set.
type shownCheckout Checkout

func (c Checkout) shownWhole() shownCheckout {
	c.Order, c.Type, c.BuyerAliases = c.shown(), checkoutType, c.aliases()
	return shownCheckout(c)
}

// MarshalJSON writes the checkout with its derived fields.
func (c Checkout) MarshalJSON() ([]byte, error) { return json.Marshal(c.shownWhole()) }

// CheckoutLifetime is the time from a checkout's creation to its expiry.
const CheckoutLifetime = 30 * time.Minute

// ReadCheckout parses a stored document.
func ReadCheckout(text []byte) (Checkout, error) {
	var checkout Checkout
	err := json.Unmarshal(text, &checkout)
	return checkout, err
}

// Document returns the checkout as it is stored and published in events (SALE-11). It never contains the secret.
func (c Checkout) Document() ([]byte, error) {
	c.Secret = ""
	return printed(c.shownWhole())
}

// ShownSecret returns the secret for GraphQL, nil if it must not be shown.
func (c Checkout) ShownSecret() *string { return texts.Shown(c.Secret) }

// CheckoutOf returns a checkout's key in lists.
func CheckoutOf(c Checkout) string { return c.ID }

// expired reports whether the checkout's time is over. It is over at ExpiresAt itself (SALE-6).
func (c Checkout) expired(now time.Time) bool { return !now.Before(c.ExpiresAt.Time) }

// mustBeOpen returns INVALID_STATE if the checkout has ended or its time is over, even if it has not been aborted yet.
func (c Checkout) mustBeOpen(now time.Time) error {
	switch {
	case c.Status == CheckoutComplete:
		return domain.InvalidState("This checkout is complete")
	case c.Status == CheckoutAborted:
		return domain.InvalidState("This checkout was aborted")
	case c.expired(now):
		return domain.InvalidState("This checkout has expired")
	}
	return nil
}

// event returns an event of the given type with the checkout as data (SALE-11).
func (c Checkout) event(kind domain.EventType) (domain.Event, error) {
	text, err := c.Document()
	return domain.Event{SellerID: c.SellerID, Type: kind, Data: within("checkout", text)}, err
}

// within returns a JSON object whose only field is the document.
func within(field string, document []byte) []byte {
	const around = len(`{"":}`)
	data := make([]byte, 0, around+len(field)+len(document))
	data = append(append(append(data, `{"`...), field...), `":`...)
	return append(append(data, document...), '}')
}

// The events that checkouts publish.
const (
	checkoutCompleted domain.EventType = "checkout.completed"
	checkoutAborted   domain.EventType = "checkout.aborted"
	detailsSubmitted  domain.EventType = "checkout.detailsSubmitted"
	ticketCreated     domain.EventType = "ticket.created"
)
