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

// Customer is somebody who buys or holds tickets. Tickets and entries may name customers that are not here: those live
// in another system (decisions 1.1).
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
	// Country is as it came: what is no code of ISO 3166 counts as not yet known (decisions 9.2).
	Country   *string         `json:"country,omitempty"`
	Meta      ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewCustomer is the input of createCustomer; nothing in it is required.
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

// CustomerChange is the input of updateCustomer. Null, or nothing but white space, clears a member.
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
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// change is a new customer as a change of nothing.
func (n NewCustomer) change() CustomerChange {
	text := optional.FromPointer[string]
	return CustomerChange{
		Email: text(n.Email), Firstname: text(n.Firstname), Lastname: text(n.Lastname), Company: text(n.Company),
		Phone: text(n.Phone), Street: text(n.Street), Line2: text(n.Line2), Postal: text(n.Postal), City: text(n.City),
		State: text(n.State), Country: text(n.Country), Meta: sentMeta(n.Meta),
	}
}

// apply puts the change into the customer and notes everything that is wrong with it.
func (c *Customer) apply(change CustomerChange, problems *domain.Problems) {
	c.applyEmail(change.Email, problems)
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
		*text.kept = applyText(problems, text.path, text.sent, *text.kept)
	}
	if change.Country.Set && c.Country != nil {
		*c.Country = countries.Text(*c.Country)
	}
	c.Meta = applyMeta(problems, change.Meta, c.Meta)
}

func (c *Customer) applyEmail(sent optional.Value[string], problems *domain.Problems) {
	if !sent.Set {
		return
	}
	c.Email = nil
	address := texts.Trim(sent.Or(""))
	if address == "" {
		return
	}
	if !texts.ValidEmail(address) {
		problems.Add("email", "must be an e-mail address such as name@example.com")
	}
	c.Email = &address
}

// PersonName is first name and last name, as far as they are known; nil if neither is.
func (c *Customer) PersonName() *string {
	if c.Firstname == nil && c.Lastname == nil {
		return nil
	}
	return new(texts.Trim(texts.Of(c.Firstname) + " " + texts.Of(c.Lastname)))
}

// FullName is first name, last name and company, as far as they are known: what a search for a name looks at.
func (c *Customer) FullName() string {
	var parts []string
	for _, part := range []*string{c.Firstname, c.Lastname, c.Company} {
		if part != nil {
			parts = append(parts, *part)
		}
	}
	return strings.Join(parts, " ")
}

// CustomerFilter narrows a list of customers; a zero member is no filter.
type CustomerFilter struct {
	// Name is part of first name, last name and company, whatever its case.
	Name string `graphql:"name"`
	// Email is the whole address, whatever its case (decisions 3.4).
	Email        string           `graphql:"email"`
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`  // inclusive
	CreatedUntil *moment.DateTime `graphql:"createdUntil"` // exclusive
}

// Check tells everything that is wrong with the filter, by its own members.
func (f CustomerFilter) Check() error {
	var problems domain.Problems
	problems.Text("name", f.Name)
	problems.Text("email", f.Email)
	return problems.Err()
}
