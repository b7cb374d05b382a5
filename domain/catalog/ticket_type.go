package catalog

import (
	"fmt"
	"regexp"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/optional"
)

// TicketType is a kind of ticket for one event, with its price.
type TicketType struct {
	ID       string     `json:"_id"`
	SellerID ids.Seller `json:"sellerId"`
	EventID  string     `json:"eventId"`
	Name     string     `json:"name"`
	// Price is what one ticket costs, exactly, with no more decimals than the currency has.
	Price    document.Number `json:"price"`
	Currency money.Currency  `json:"currency"`
	// TaxRate is in percent; it is contained in the price.
	TaxRate *document.Number `json:"taxRate,omitempty"`
	// Active types can be bought; tickets of the others stay as they are.
	Active    bool            `json:"active"`
	Meta      ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewTicketType is the input of createTicketType. Absent: the currency is EUR, and the type is active.
type NewTicketType struct {
	SellerID ids.Seller       `json:"sellerId"`
	ID       *string          `json:"_id"`
	EventID  string           `json:"eventId"`
	Name     string           `json:"name"`
	Price    document.Number  `json:"price"`
	Currency money.Currency   `json:"currency"`
	TaxRate  *document.Number `json:"taxRate"`
	Active   *bool            `json:"active"`
	Meta     ecmajson.Value   `json:"meta"`
}

// TicketTypeChange is the input of updateTicketType. Null puts a member back to that of a new ticket type, but for name and
// price, which can't be cleared.
type TicketTypeChange struct {
	SellerID ids.Seller                      `json:"sellerId"`
	Name     optional.Value[string]          `json:"name"`
	Price    optional.Value[document.Number] `json:"price"`
	Currency optional.Value[money.Currency]  `json:"currency"`
	TaxRate  optional.Value[document.Number] `json:"taxRate"`
	Active   optional.Value[bool]            `json:"active"`
	Meta     optional.Value[ecmajson.Value]  `json:"meta"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// change is a new ticket type as a change of nothing.
func (n NewTicketType) change() TicketTypeChange {
	change := TicketTypeChange{
		Name: optional.Some(n.Name), Price: optional.Some(n.Price), Currency: optional.Null[money.Currency](),
		TaxRate: optional.FromPointer(n.TaxRate), Active: optional.FromPointer(n.Active), Meta: sentMeta(n.Meta),
	}
	if n.Currency != "" {
		change.Currency = optional.Some(n.Currency)
	}
	return change
}

// apply puts the change into the ticket type and notes everything that is wrong with it.
func (t *TicketType) apply(change TicketTypeChange, problems *domain.Problems) {
	problems.NotNull("name", change.Name.IsNull())
	problems.NotNull("price", change.Price.IsNull())
	if change.Name.Value != nil {
		t.Name = problems.Name("name", *change.Name.Value)
	}
	if change.Currency.Set {
		t.Currency = change.Currency.Or(money.DefaultCurrency)
	}
	t.Price = change.Price.Or(t.Price)
	if !t.Currency.Valid() {
		problems.Add("currency", "must be one of "+strings.Join(t.Currency.Names(), ", "))
	} else {
		checkAmount(problems, "price", t.Price, t.Currency)
	}
	if t.TaxRate = change.TaxRate.ApplyPointer(t.TaxRate); t.TaxRate != nil {
		checkTaxRate(problems, *t.TaxRate)
	}
	if change.Active.Set {
		t.Active = change.Active.Or(true)
	}
	t.Meta = applyMeta(problems, change.Meta, t.Meta)
}

// amountPattern is what an amount of money may look like: totals of many such stay exact.
var amountPattern = regexp.MustCompile(`^\d{1,12}(?:\.(\d+))?$`)

// checkAmount notes an amount that is negative, huge, or more precise than its currency.
func checkAmount(problems *domain.Problems, path string, amount document.Number, currency money.Currency) {
	match := amountPattern.FindStringSubmatch(amount.String())
	switch {
	case strings.HasPrefix(amount.String(), "-"):
		problems.Add(path, "must not be negative")
	case match == nil:
		problems.Add(path, "must be an amount such as 10.5 with at most 12 digits before the point")
	case len(match[1]) > currency.Decimals():
		problems.Add(path, fmt.Sprintf("must have at most %d decimals in %s", currency.Decimals(), currency))
	}
}

var taxRatePattern = regexp.MustCompile(`^(100|\d{1,2}(\.\d{1,4})?)$`)

func checkTaxRate(problems *domain.Problems, rate document.Number) {
	if !taxRatePattern.MatchString(rate.String()) {
		problems.Add("taxRate", "must be a percentage from 0 to 100 with at most 4 decimals")
	}
}

// TicketTypeFilter narrows a list of ticket types; a zero member is no filter.
type TicketTypeFilter struct {
	Name    string
	EventID string
	Active  *bool
}

// Check tells everything that is wrong with the filter, by its own members.
func (f TicketTypeFilter) Check() error {
	var problems domain.Problems
	problems.Text("name", f.Name)
	problems.Text("eventId", f.EventID)
	return problems.Err()
}
