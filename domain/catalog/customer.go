package catalog

import (
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/countries"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// Customer is a person or company that buys or holds tickets. Tickets and access list entries may refer to customers
// that exist only in another system (SALE-12).
type Customer struct {
	ID        string     `json:"_id"`
	SellerID  ids.Seller `json:"sellerId"`
	Email     *string    `json:"email,omitempty"`
	Firstname *string    `json:"firstname,omitempty"`
	Lastname  *string    `json:"lastname,omitempty"`
	Company   *string    `json:"company,omitempty"`
	Phone     *string    `json:"phone,omitempty"`
	Street    *string    `json:"street,omitempty"`
	Line2     *string    `json:"line2,omitempty"`
	Postal    *string    `json:"postal,omitempty"`
	City      *string    `json:"city,omitempty"`
	State     *string    `json:"state,omitempty"`
	// Country is trimmed. A country code is stored in upper case. Other text counts as an unknown country (TEXT-2).
	Country   *string         `json:"country,omitempty"`
	Meta      ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewCustomer is the input of createCustomer. All fields are optional.
type NewCustomer struct {
	SellerID  ids.Seller     `json:"sellerId"`
	ID        *string        `json:"_id"`
	Email     *string        `json:"email"`
	Firstname *string        `json:"firstname"`
	Lastname  *string        `json:"lastname"`
	Company   *string        `json:"company"`
	Phone     *string        `json:"phone"`
	Street    *string        `json:"street"`
	Line2     *string        `json:"line2"`
	Postal    *string        `json:"postal"`
	City      *string        `json:"city"`
	State     *string        `json:"state"`
	Country   *string        `json:"country"`
	Meta      ecmajson.Value `json:"meta"`
}

// CustomerChange is the input of updateCustomer. Null or white space clears a field.
type CustomerChange struct {
	SellerID  ids.Seller                     `json:"sellerId"`
	Email     optional.Value[string]         `json:"email"`
	Firstname optional.Value[string]         `json:"firstname"`
	Lastname  optional.Value[string]         `json:"lastname"`
	Company   optional.Value[string]         `json:"company"`
	Phone     optional.Value[string]         `json:"phone"`
	Street    optional.Value[string]         `json:"street"`
	Line2     optional.Value[string]         `json:"line2"`
	Postal    optional.Value[string]         `json:"postal"`
	City      optional.Value[string]         `json:"city"`
	State     optional.Value[string]         `json:"state"`
	Country   optional.Value[string]         `json:"country"`
	Meta      optional.Value[ecmajson.Value] `json:"meta"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If the stored one differs, the update fails with
	// CONFLICT (BODY-2). REST uses If-Match instead.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// change returns the input as a change to an empty customer.
func (n NewCustomer) change() CustomerChange {
	text := optional.FromPointer[string]
	return CustomerChange{
		Email: text(n.Email), Firstname: text(n.Firstname), Lastname: text(n.Lastname), Company: text(n.Company),
		Phone: text(n.Phone), Street: text(n.Street), Line2: text(n.Line2), Postal: text(n.Postal), City: text(n.City),
		State: text(n.State), Country: text(n.Country), Meta: sentMeta(n.Meta),
	}
}

// apply applies change to the customer and adds all validation errors to errs.
func (c *Customer) apply(change CustomerChange, errs *domain.FieldErrors) {
	c.applyEmail(change.Email, errs)
	for _, text := range [...]struct {
		path string
		sent optional.Value[string]
		kept **string
	}{
		{"firstname", change.Firstname, &c.Firstname},
		{"lastname", change.Lastname, &c.Lastname},
		{"company", change.Company, &c.Company},
		{"phone", change.Phone, &c.Phone},
		{"street", change.Street, &c.Street},
		{"line2", change.Line2, &c.Line2},
		{"postal", change.Postal, &c.Postal},
		{"city", change.City, &c.City},
		{"state", change.State, &c.State},
		{"country", change.Country, &c.Country},
	} {
		*text.kept = applyText(errs, text.path, text.sent, *text.kept)
	}
	if change.Country.Set && c.Country != nil {
		*c.Country = countries.Text(*c.Country)
	}
	c.Meta = applyMeta(errs, change.Meta, c.Meta)
}

func (c *Customer) applyEmail(sent optional.Value[string], errs *domain.FieldErrors) {
	if !sent.Set {
		return
	}
	c.Email = nil
	address := texts.Trim(sent.Or(""))
	if address == "" {
		return
	}
	if !texts.ValidEmail(address) {
		errs.Add("email", "must be an email address such as name@example.com")
	}
	c.Email = &address
}

// PersonName returns the first and last name, or nil if neither is known.
func (c *Customer) PersonName() *string {
	if c.Firstname == nil && c.Lastname == nil {
		return nil
	}
	return new(texts.Trim(texts.Of(c.Firstname) + " " + texts.Of(c.Lastname)))
}

// FullName returns the known parts of first name, last name and company. Searches by name use it.
func (c *Customer) FullName() string {
	var parts []string
	for _, part := range []*string{c.Firstname, c.Lastname, c.Company} {
		if part != nil {
			parts = append(parts, *part)
		}
	}
	return strings.Join(parts, " ")
}

// CustomerFilter narrows a list of customers. A zero field does not filter.
type CustomerFilter struct {
	// Name matches a part of the first name, last name or company, ignoring case.
	Name string `graphql:"name"`
	// Email matches exactly, ignoring case.
	Email        string           `graphql:"email"`
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`  // inclusive
	CreatedUntil *moment.DateTime `graphql:"createdUntil"` // exclusive
}

// Check returns all validation errors of the filter's fields.
func (f CustomerFilter) Check() error {
	var errs domain.FieldErrors
	errs.Text("name", f.Name)
	errs.Text("email", f.Email)
	return errs.Err()
}
