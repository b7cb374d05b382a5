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

// TicketType is a kind of ticket for an event, with its price.
type TicketType struct {
	ID       string     `json:"_id"`
	SellerID ids.Seller `json:"sellerId"`
	EventID  string     `json:"eventId"`
	Name     string     `json:"name"`
	// Price is the exact price per ticket. It has at most as many decimals as the currency.
	Price    document.Number `json:"price"`
	Currency money.Currency  `json:"currency"`
	// TaxRate is in percent. The tax is included in the price.
	TaxRate *document.Number `json:"taxRate,omitempty"`
	// Active reports whether the type is for sale. Tickets already sold are not affected.
	Active    bool            `json:"active"`
	Meta      ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewTicketType is the input of createTicketType. Defaults: currency EUR, active.
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

// TicketTypeChange is the input of updateTicketType. Null restores a field's default, except for name and price, which
// can't be cleared.
type TicketTypeChange struct {
	SellerID ids.Seller                      `json:"sellerId"`
	Name     optional.Value[string]          `json:"name"`
	Price    optional.Value[document.Number] `json:"price"`
	Currency optional.Value[money.Currency]  `json:"currency"`
	TaxRate  optional.Value[document.Number] `json:"taxRate"`
	Active   optional.Value[bool]            `json:"active"`
	Meta     optional.Value[ecmajson.Value]  `json:"meta"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If the stored one differs, the update fails with
	// CONFLICT (BODY-2). REST uses If-Match instead.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// change returns the input as a change to an empty ticket type.
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

// apply applies change to the ticket type and adds all validation errors to errs.
func (t *TicketType) apply(change TicketTypeChange, errs *domain.FieldErrors) {
	errs.NotNull("name", change.Name.IsNull())
	errs.NotNull("price", change.Price.IsNull())
	if change.Name.Value != nil {
		t.Name = errs.Name("name", *change.Name.Value)
	}
	if change.Currency.Set {
		t.Currency = change.Currency.Or(money.DefaultCurrency)
	}
	t.Price = change.Price.Or(t.Price)
	if !t.Currency.Valid() {
		errs.Add("currency", "must be one of "+strings.Join(t.Currency.Names(), ", "))
	} else {
		checkAmount(errs, "price", t.Price, t.Currency)
	}
	if t.TaxRate = change.TaxRate.ApplyPointer(t.TaxRate); t.TaxRate != nil {
		checkTaxRate(errs, *t.TaxRate)
	}
	if change.Active.Set {
		t.Active = change.Active.Or(true)
	}
	t.Meta = applyMeta(errs, change.Meta, t.Meta)
}

// amountPattern limits amounts to a size at which sums stay exact.
var amountPattern = regexp.MustCompile(`^\d{1,12}(?:\.(\d+))?$`)

// checkAmount adds an error if the amount is negative, too large, or has more decimals than its currency.
func checkAmount(errs *domain.FieldErrors, path string, amount document.Number, currency money.Currency) {
	match := amountPattern.FindStringSubmatch(amount.String())
	switch {
	case strings.HasPrefix(amount.String(), "-"):
		errs.Add(path, "must not be negative")
	case match == nil:
		errs.Add(path, "must be an amount such as 10.5 with at most 12 digits before the point")
	case len(match[1]) > currency.Decimals():
		errs.Add(path, fmt.Sprintf("must have at most %d decimals in %s", currency.Decimals(), currency))
	}
}

var taxRatePattern = regexp.MustCompile(`^(100|\d{1,2}(\.\d{1,4})?)$`)

func checkTaxRate(errs *domain.FieldErrors, rate document.Number) {
	if !taxRatePattern.MatchString(rate.String()) {
		errs.Add("taxRate", "must be a percentage from 0 to 100 with at most 4 decimals")
	}
}

// TicketTypeFilter narrows a list of ticket types. A zero field does not filter.
type TicketTypeFilter struct {
	Name    string
	EventID string
	Active  *bool
}

// Check returns all validation errors of the filter's fields.
func (f TicketTypeFilter) Check() error {
	var errs domain.FieldErrors
	errs.Text("name", f.Name)
	errs.Text("eventId", f.EventID)
	return errs.Err()
}
