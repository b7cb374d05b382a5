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

// CheckoutStatus is how far a checkout has come.
type CheckoutStatus string

// The statuses. The specification names the last two (spec 6.1).
const (
	// CheckoutNew has items and no details yet.
	CheckoutNew CheckoutStatus = "NEW"
	// CheckoutDetails has the buyer's details.
	CheckoutDetails  CheckoutStatus = "DETAILS"
	CheckoutComplete CheckoutStatus = "COMPLETE"
	CheckoutAborted  CheckoutStatus = "ABORTED"
)

// Names lists every status.
func (CheckoutStatus) Names() []string { return []string{"NEW", "DETAILS", "COMPLETE", "ABORTED"} }

// MarshalGQL writes the status, which GraphQL spells alike.
func (s CheckoutStatus) MarshalGQL(w io.Writer) { document.MarshalName(w, string(s)) }

// UnmarshalGQL reads a status.
func (s *CheckoutStatus) UnmarshalGQL(from any) error { return readName(s, from) }

// Open tells whether the checkout may still change.
func (s CheckoutStatus) Open() bool { return s == CheckoutNew || s == CheckoutDetails }

// Checkout is what a buyer is about to buy: the items, and who the buyer is as far as that is told. It ends in a transaction
// or is aborted (decisions 8.4).
type Checkout struct {
	ID       string         `json:"_id"`
	SellerID ids.Seller     `json:"sellerId"`
	Status   CheckoutStatus `json:"status"`

	Order //nolint:embeddedstructfieldcheck // printed after what stands before it
	// RegularPrice is that of the items without any discount. There are none yet, so that RealPrice is the same.
	RegularPrice document.Number `json:"regularPrice"`

	Buyer
	// Phone stays with the checkout: a transaction has none (spec 2.8).
	Phone             *string                   `json:"phone,omitempty"`
	PreferredLanguage *Language                 `json:"preferredLanguage,omitempty"`
	Identification    []identification.Document `json:"identification,omitempty"`

	// TransactionID is there once the checkout is complete.
	TransactionID *string         `json:"transactionId,omitempty"`
	ExpiresAt     moment.DateTime `json:"expiresAt"`
	CreatedAt     moment.DateTime `json:"createdAt"`
	UpdatedAt     moment.DateTime `json:"updatedAt"`

	// Type is checkoutType, which tells programs written for other platforms what the checkout becomes (WEBHOOK-21).
	Type string `json:"type"`
	BuyerAliases

	// Secret opens the checkout to its buyer. It is in the response to its creation and in those that the secret opened.
	Secret string `json:"secret,omitempty"`
}

// checkoutType is what a checkout becomes.
const checkoutType = "transaction"

// shownCheckout is a checkout with the fields that follow from others.
type shownCheckout Checkout

func (c Checkout) shownWhole() shownCheckout {
	c.Order, c.Type, c.BuyerAliases = c.shown(), checkoutType, c.aliases()
	return shownCheckout(c)
}

// MarshalJSON writes the checkout with the fields that follow from others.
func (c Checkout) MarshalJSON() ([]byte, error) { return json.Marshal(c.shownWhole()) }

// CheckoutLifetime is how long a buyer has for a checkout.
const CheckoutLifetime = 30 * time.Minute

// ReadCheckout reads a stored document.
func ReadCheckout(text []byte) (Checkout, error) {
	var checkout Checkout
	err := json.Unmarshal(text, &checkout)
	return checkout, err
}

// Document is the checkout as it is stored and as webhooks show it (decisions 7.2): never with the secret.
func (c Checkout) Document() ([]byte, error) {
	c.Secret = ""
	return printed(c.shownWhole())
}

// ShownSecret is the secret as GraphQL shows it: null where there is none to show.
func (c Checkout) ShownSecret() *string { return texts.Shown(c.Secret) }

// CheckoutOf names a checkout for lists.
func CheckoutOf(c Checkout) string { return c.ID }

// expired tells that the buyer's time is over: at expiresAt itself it is (decisions 4.7).
func (c Checkout) expired(now time.Time) bool { return !now.Before(c.ExpiresAt.Time) }

// mustBeOpen refuses to change what has ended, also where its time is over and nobody has aborted it yet.
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

// event tells of the checkout (decisions 7.5).
func (c Checkout) event(kind domain.EventType) (domain.Event, error) {
	text, err := c.Document()
	return domain.Event{SellerID: c.SellerID, Type: kind, Data: within("checkout", text)}, err
}

// within is an object with one field, which has a document.
func within(field string, document []byte) []byte {
	const around = len(`{"":}`)
	data := make([]byte, 0, around+len(field)+len(document))
	data = append(append(append(data, `{"`...), field...), `":`...)
	return append(append(data, document...), '}')
}

// The events that checkouts publish (spec 6.1).
const (
	checkoutCompleted domain.EventType = "checkout.completed"
	checkoutAborted   domain.EventType = "checkout.aborted"
	detailsSubmitted  domain.EventType = "checkout.detailsSubmitted"
	ticketCreated     domain.EventType = "ticket.created"
)
