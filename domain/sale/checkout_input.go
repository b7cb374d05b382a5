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

// NewCheckout is the input of createCheckout. What the items cost is never taken from it (decisions 8.4).
type NewCheckout struct {
	// SellerID may be left out where the call already acts on a seller.
	SellerID ids.Seller `json:"sellerId,omitempty"`
	EventID  string     `json:"eventId"`
	// Items are required, as items or as tickets.
	Items   []WantedItem `json:"items,omitempty"`
	Tickets []WantedItem `json:"tickets,omitempty"`
	// CustomerID is kept as it comes (decisions 1.1).
	CustomerID *string `json:"customerId"`
	// PreferredLanguage is that of the request when absent (decisions 8.6).
	PreferredLanguage *Language `json:"preferredLanguage"`
}

// check says what is wrong with the input whoever sells, for an answer that names everything (decisions 2.1).
func (n NewCheckout) check() error {
	var problems domain.Problems
	wantedIn(n.EventID, n.Items, n.Tickets, &problems).counted()
	if n.CustomerID != nil {
		problems.Reference("customerId", *n.CustomerID)
	}
	checkLanguage(&problems, n.PreferredLanguage)
	return problems.Err()
}

// Details are what a buyer tells of itself. They replace the details before them whole; only a customerId and a language
// that are left out stay.
type Details struct {
	Buyer

	Phone             *string   `json:"phone"`
	PreferredLanguage *Language `json:"preferredLanguage"`
	// Identification is as it came: what the seller does not ask for is not even looked at (decisions 9.1).
	Identification ecmajson.Value `json:"identification,omitzero"`
	// Secret is the checkout's, for callers that put it into the body.
	Secret string `json:"secret,omitempty"`
}

// withDetails returns the checkout with other details, or everything that is wrong with them. What the identification rule
// says comes first, since clients show its words (decisions 2.6).
func (c Checkout) withDetails(details Details, seller identification.Seller) (Checkout, error) {
	var problems domain.Problems
	change := details.change()
	if details.CustomerID == nil {
		change.CustomerID = optional.Value[string]{}
	}
	c.apply(change, &problems)
	c.Phone = trimmedText(&problems, "phone", details.Phone)
	if details.PreferredLanguage != nil {
		c.PreferredLanguage = details.PreferredLanguage
	}
	checkLanguage(&problems, c.PreferredLanguage)
	kept, refused := c.identified(seller, details.Identification, c.Total())
	if refused != nil {
		return Checkout{}, withFields(refused, problems.Err())
	}
	c.Identification, c.Status = kept, CheckoutDetails
	return c, problems.Err()
}

// withFields adds the fields of a further refusal to those of the first one, whose message stays. Either may be nil.
func withFields(refused, further error) error {
	if refused == nil {
		return further
	}
	first := domain.AsError(refused)
	if further == nil || first.Code != domain.CodeValidationFailed {
		return refused
	}
	first.Fields = append(first.Fields, domain.AsError(further).Fields...)
	return refused
}

func trimmedText(problems *domain.Problems, path string, sent *string) *string {
	text := texts.Trim(texts.Of(sent))
	if text == "" {
		return nil
	}
	problems.Length(path, text, maxBuyerText)
	return &text
}

func checkLanguage(problems *domain.Problems, language *Language) {
	if language != nil && !slices.Contains(language.Names(), string(*language)) {
		problems.Add("preferredLanguage", "must be one of "+strings.Join(language.Names(), ", "))
	}
}

// documentsOf are documents as a buyer would send them.
func documentsOf(documents []identification.Document) ecmajson.Value {
	sent := make([]ecmajson.Value, len(documents))
	for i, one := range documents {
		sent[i] = ecmajson.NewObject([]ecmajson.Member{
			{Name: "type", Value: ecmajson.NewString(string(one.Type))},
			{Name: "identifier", Value: ecmajson.NewString(one.Identifier)},
		})
	}
	return ecmajson.NewArray(sent)
}

// CheckoutFilter narrows a list of checkouts; a zero member is no filter (decisions 3.4).
type CheckoutFilter struct {
	Status   CheckoutStatus   `graphql:"status"`
	StatusIn []CheckoutStatus `graphql:"statusIn"` // one of these
	EventID  string           `graphql:"eventId"`
	// Email is exact without regard to case.
	Email string `graphql:"email"`
	// Text is contained in names, company, e-mail, phone or _id, without regard to case.
	Text string `graphql:"text"`
	// CreatedFrom is included, CreatedUntil is not.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
}

// Check tells everything that is wrong with the filter, by its own members.
func (f CheckoutFilter) Check() error {
	var problems domain.Problems
	problems.Text("eventId", f.EventID)
	problems.Text("email", f.Email)
	problems.Text("text", f.Text)
	problems.Values("statusIn", len(f.StatusIn))
	return problems.Err()
}
