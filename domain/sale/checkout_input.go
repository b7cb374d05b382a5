package sale

import (
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// NewCheckout is the input of createCheckout. It has no prices: they come from the ticket types (SALE-5).
type NewCheckout struct {
	// SellerID is optional if the call already acts for a seller.
	SellerID ids.Seller `json:"sellerId,omitempty"`
	EventID  string     `json:"eventId"`
	// Either Items or Tickets is required (BODY-22).
	Items   []WantedItem `json:"items,omitempty"`
	Tickets []WantedItem `json:"tickets,omitempty"`
	// CustomerID is stored as sent (SALE-12).
	CustomerID *string `json:"customerId"`
	// PreferredLanguage defaults to the language of the request (SALE-2).
	PreferredLanguage *Language `json:"preferredLanguage"`
}

// check returns all errors of the input that can be found without knowing the seller, so that one response names every error
// (BODY-1).
func (n NewCheckout) check() error {
	var errs domain.FieldErrors
	wantedIn(n.EventID, n.Items, n.Tickets, &errs).counted()
	if n.CustomerID != nil {
		errs.Reference("customerId", *n.CustomerID)
	}
	checkLanguage(&errs, n.PreferredLanguage)
	return errs.Err()
}

// Details are the buyer details of a checkout. They replace the stored details completely, except that an omitted CustomerID
// or PreferredLanguage keeps its value.
type Details struct {
	Buyer

	Phone             *string   `json:"phone"`
	PreferredLanguage *Language `json:"preferredLanguage"`
	// Identification is the raw value. Parts that the seller does not ask for are not even validated (IDENT-3).
	Identification ecmajson.Value `json:"identification,omitzero"`
	// Secret is the checkout's secret, for callers that send it in the body.
	Secret string `json:"secret,omitempty"`
}

// withDetails returns the checkout with new details, or an error that names everything wrong with them. Errors of the
// identification rule come first because clients display their message (IDENT-8).
func (c Checkout) withDetails(details Details, seller identification.Seller) (Checkout, error) {
	var errs domain.FieldErrors
	change := details.change()
	if details.CustomerID == nil {
		change.CustomerID = optional.Value[string]{}
	}
	c.apply(change, &errs)
	c.Phone = trimmedText(&errs, "phone", details.Phone)
	if details.PreferredLanguage != nil {
		c.PreferredLanguage = details.PreferredLanguage
	}
	checkLanguage(&errs, c.PreferredLanguage)
	kept, refused := c.identified(seller, details.Identification, c.Total())
	if refused != nil {
		return Checkout{}, withFields(refused, errs.Err())
	}
	c.Identification, c.Status = kept, CheckoutDetails
	return c, errs.Err()
}

// withFields appends the field errors of another error to refused, whose message stays. Either may be nil.
func withFields(refused, other error) error {
	if refused == nil {
		return other
	}
	first := domain.AsError(refused)
	if other == nil || first.Code != domain.CodeValidationFailed {
		return refused
	}
	first.Fields = append(first.Fields, domain.AsError(other).Fields...)
	return refused
}

func trimmedText(errs *domain.FieldErrors, path string, sent *string) *string {
	text := texts.Trim(texts.Of(sent))
	if text == "" {
		return nil
	}
	errs.Length(path, text, maxBuyerText)
	return &text
}

func checkLanguage(errs *domain.FieldErrors, language *Language) {
	if language != nil && !slices.Contains(language.Names(), string(*language)) {
		errs.Add("preferredLanguage", "must be one of "+strings.Join(language.Names(), ", "))
	}
}

// documentsOf converts documents to the form in which a buyer sends them.
func documentsOf(documents []identification.Document) ecmajson.Value {
	sent := make([]ecmajson.Value, len(documents))
	for i, document := range documents {
		sent[i] = ecmajson.NewObject([]ecmajson.Field{
			{Name: "type", Value: ecmajson.NewString(string(document.Type))},
			{Name: "identifier", Value: ecmajson.NewString(document.Identifier)},
		})
	}
	return ecmajson.NewArray(sent)
}

// CheckoutFilter narrows a list of checkouts. A zero field does not filter.
type CheckoutFilter struct {
	Status   CheckoutStatus   `graphql:"status"`
	StatusIn []CheckoutStatus `graphql:"statusIn"`
	EventID  string           `graphql:"eventId"`
	// Email matches exactly, ignoring case.
	Email string `graphql:"email"`
	// Text matches a part of the names, company, email address, phone number or _id, ignoring case.
	Text string `graphql:"text"`
	// CreatedFrom is inclusive, CreatedUntil exclusive.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
}

// Check returns all validation errors of the filter's fields.
func (f CheckoutFilter) Check() error {
	var errs domain.FieldErrors
	errs.Text("eventId", f.EventID)
	errs.Text("email", f.Email)
	errs.Text("text", f.Text)
	errs.Values("statusIn", len(f.StatusIn))
	return errs.Err()
}
