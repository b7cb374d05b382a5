package tenant

import (
	"bytes"
	"encoding/json"

	"ticketgate/domain"
	"ticketgate/domain/countries"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// Seller sells tickets and belongs to one organization.
type Seller struct {
	ID             ids.Seller `json:"_id"`
	OrganizationID ids.Org    `json:"organizationId"`
	Name           string     `json:"name"`
	// Country is an ISO 3166-1 alpha-2 code.
	Country string `json:"country"`
	// Webhooks lets the seller manage webhooks (decisions 4.5).
	Webhooks bool `json:"webhooks"`
	// SIREN makes its checkouts ask companies for their number (spec 7).
	SIREN bool `json:"siren"`
	// IdentificationConfig is what the seller asks of its buyers; nil is what its modules ask for (decisions 9.7).
	IdentificationConfig identification.Configuration `json:"identificationConfig,omitzero"`
	// Invoicing is where its invoices are handed over; nil is nowhere.
	Invoicing *Invoicing `json:"invoicing,omitempty"`
	// CheckoutOrigins are its shops, as browsers name them (decisions 8.4).
	CheckoutOrigins []string        `json:"checkoutOrigins,omitempty"`
	Meta            ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt       moment.DateTime `json:"createdAt"`
	UpdatedAt       moment.DateTime `json:"updatedAt"`
}

// Same tells whether two states of a seller differ in nothing that shows.
func (s Seller) Same(other Seller) bool {
	mine, err := json.Marshal(s)
	if err != nil {
		return false
	}
	others, err := json.Marshal(other)
	return err == nil && bytes.Equal(mine, others)
}

// Cursor is the seller's position in a list.
func (s Seller) Cursor() domain.Cursor { return domain.Cursor{ID: string(s.ID)} }

// Features returns the modules that are switched on for the seller.
func (s Seller) Features() domain.Features {
	return domain.Features{Webhooks: s.Webhooks, SIREN: s.SIREN}
}

// NewSeller is the input of createSeller.
type NewSeller struct {
	OrganizationID ids.Org `json:"organizationId"`
	Name           string  `json:"name"`
	Country        string  `json:"country"`
	Webhooks       bool    `json:"webhooks"`
	SIREN          bool    `json:"siren"`
	// Meta is absent or null for none.
	Meta ecmajson.Value `json:"meta"`
}

// validate returns the input as it will be stored, or everything that is wrong with it.
func (n NewSeller) validate() (NewSeller, error) {
	var problems domain.Problems
	n.Name = problems.Name("name", n.Name)
	n.Country = country(&problems, n.Country)
	decode.Free(&problems, "meta", n.Meta)
	return n, problems.Err()
}

// SellerChange is the input of updateSeller. An absent member keeps its value. Null takes a setting away; name, country
// and features can't be cleared.
type SellerChange struct {
	// SellerID may be left out where the call already acts on a seller.
	SellerID ids.Seller             `json:"sellerId"`
	Name     optional.Value[string] `json:"name"`
	Country  optional.Value[string] `json:"country"`
	Webhooks optional.Value[bool]   `json:"webhooks"`
	SIREN    optional.Value[bool]   `json:"siren"`

	IdentificationConfig optional.Value[identification.Configuration] `json:"identificationConfig"`
	Invoicing            optional.Value[InvoicingChange]              `json:"invoicing"`
	CheckoutOrigins      optional.Value[[]string]                     `json:"checkoutOrigins"`
	Meta                 optional.Value[ecmajson.Value]               `json:"meta"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// validate returns the change as it will be stored, or everything that is wrong with it.
func (c SellerChange) validate(policy listenerurl.Policy, localOrigins bool) (SellerChange, error) {
	var problems domain.Problems
	problems.NotNull("name", c.Name.IsNull())
	problems.NotNull("country", c.Country.IsNull())
	problems.NotNull("webhooks", c.Webhooks.IsNull())
	problems.NotNull("siren", c.SIREN.IsNull())
	if c.Name.Value != nil {
		c.Name = optional.Some(problems.Name("name", *c.Name.Value))
	}
	if c.Country.Value != nil {
		c.Country = optional.Some(country(&problems, *c.Country.Value))
	}
	if config := c.IdentificationConfig.Value; config != nil {
		c.IdentificationConfig = optional.Some(config.Checked(&problems, "identificationConfig"))
	}
	if c.Invoicing.Value != nil {
		c.Invoicing.Value.check(&problems, policy)
	}
	if c.CheckoutOrigins.Set {
		c.CheckoutOrigins = optional.Some(origins(&problems, c.CheckoutOrigins.Or(nil), localOrigins))
	}
	decode.Free(&problems, "meta", c.Meta.Or(ecmajson.Value{}))
	return c, problems.Err()
}

// apply returns the seller changed, but for the time of the change: whether there is one shows here.
func (c SellerChange) apply(s settled) settled {
	s.Name = c.Name.Or(s.Name)
	s.Country = c.Country.Or(s.Country)
	s.Webhooks = c.Webhooks.Or(s.Webhooks)
	s.SIREN = c.SIREN.Or(s.SIREN)
	s.IdentificationConfig = c.IdentificationConfig.Apply(s.IdentificationConfig)
	s.CheckoutOrigins = c.CheckoutOrigins.Apply(s.CheckoutOrigins)
	s.Meta = c.Meta.Apply(s.Meta)
	switch {
	case c.Invoicing.Value != nil:
		s.invoicingKey = c.Invoicing.Value.HMACKey.Apply(s.invoicingKey)
		s.Invoicing = &Invoicing{URL: c.Invoicing.Value.URL, Signed: s.invoicingKey != ""}
	case c.Invoicing.Set:
		s.Invoicing, s.invoicingKey = nil, ""
	}
	return s
}

// settled is a seller with the secret that belongs to it.
type settled struct {
	Seller

	invoicingKey string
}

// audited is a seller as the audit log shows it: of the key it says that it was replaced, and never shows one.
func (s settled) audited(before settled) any {
	state := struct {
		Seller

		InvoicingKey string `json:"invoicingKey,omitempty"`
	}{Seller: s.Seller}
	if s.invoicingKey != "" {
		state.InvoicingKey = "set"
		if before.invoicingKey != "" && before.invoicingKey != s.invoicingKey {
			state.InvoicingKey = "replaced"
		}
	}
	return state
}

// country returns a code in its stored form, and notes one that ISO 3166-1 has not assigned.
func country(problems *domain.Problems, text string) string {
	code, ok := countries.Code(text)
	if !ok {
		problems.AddHint("country", "must be an ISO 3166-1 alpha-2 country code", "Germany is DE, the United Kingdom GB")
	}
	return code
}
