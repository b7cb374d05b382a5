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
	// Webhooks enables the management of webhooks.
	Webhooks bool `json:"webhooks"`
	// SIREN makes checkouts ask companies for their SIREN.
	SIREN bool `json:"siren"`
	// IdentificationConfig lists the documents that buyers must provide. If nil, the enabled features determine them.
	IdentificationConfig identification.Configuration `json:"identificationConfig,omitzero"`
	// Invoicing is where invoices are sent, or nil.
	Invoicing *Invoicing `json:"invoicing,omitempty"`
	// CheckoutOrigins are the origins of the seller's shops, as browsers send them.
	CheckoutOrigins []string        `json:"checkoutOrigins,omitempty"`
	Meta            ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt       moment.DateTime `json:"createdAt"`
	UpdatedAt       moment.DateTime `json:"updatedAt"`
}

// Same reports whether two states of a seller look the same to callers.
func (s Seller) Same(other Seller) bool {
	mine, err := json.Marshal(s)
	if err != nil {
		return false
	}
	others, err := json.Marshal(other)
	return err == nil && bytes.Equal(mine, others)
}

// Cursor returns the seller's position in a list.
func (s Seller) Cursor() domain.Cursor { return domain.Cursor{ID: string(s.ID)} }

// Features returns the features of the seller.
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
	// Meta may be omitted or null.
	Meta ecmajson.Value `json:"meta"`
}

// validate returns the input as it will be stored, or all of its faults.
func (n NewSeller) validate() (NewSeller, error) {
	var errs domain.FieldErrors
	n.Name = errs.Name("name", n.Name)
	n.Country = country(&errs, n.Country)
	decode.Free(&errs, "meta", n.Meta)
	return n, errs.Err()
}

// SellerChange is the input of updateSeller. Omitted fields keep their value. Null clears a setting. Name, country and
// features can't be cleared.
type SellerChange struct {
	// SellerID may be omitted if the call already acts on a seller.
	SellerID ids.Seller             `json:"sellerId"`
	Name     optional.Value[string] `json:"name"`
	Country  optional.Value[string] `json:"country"`
	Webhooks optional.Value[bool]   `json:"webhooks"`
	SIREN    optional.Value[bool]   `json:"siren"`

	IdentificationConfig optional.Value[identification.Configuration] `json:"identificationConfig"`
	Invoicing            optional.Value[InvoicingChange]              `json:"invoicing"`
	CheckoutOrigins      optional.Value[[]string]                     `json:"checkoutOrigins"`
	Meta                 optional.Value[ecmajson.Value]               `json:"meta"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If it differs from the current one, the change is a
	// CONFLICT. REST has If-Match instead.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// validate returns the change as it will be stored, or all of its faults.
func (c SellerChange) validate(policy listenerurl.Policy, localOrigins bool) (SellerChange, error) {
	var errs domain.FieldErrors
	errs.NotNull("name", c.Name.IsNull())
	errs.NotNull("country", c.Country.IsNull())
	errs.NotNull("webhooks", c.Webhooks.IsNull())
	errs.NotNull("siren", c.SIREN.IsNull())
	if c.Name.Value != nil {
		c.Name = optional.Some(errs.Name("name", *c.Name.Value))
	}
	if c.Country.Value != nil {
		c.Country = optional.Some(country(&errs, *c.Country.Value))
	}
	if config := c.IdentificationConfig.Value; config != nil {
		c.IdentificationConfig = optional.Some(config.Checked(&errs, "identificationConfig"))
	}
	if c.Invoicing.Value != nil {
		c.Invoicing.Value.check(&errs, policy)
	}
	if c.CheckoutOrigins.Set {
		c.CheckoutOrigins = optional.Some(origins(&errs, c.CheckoutOrigins.Or(nil), localOrigins))
	}
	decode.Free(&errs, "meta", c.Meta.Or(ecmajson.Value{}))
	return c, errs.Err()
}

// apply returns the changed seller with its old updatedAt, so that the caller can compare the two.
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

// settled is a seller with its invoicing key.
type settled struct {
	Seller

	invoicingKey string
}

// audited returns the seller as the audit log shows it. Of the invoicing key it shows only whether it was set or
// replaced.
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

// country returns the code in its stored form, and adds a fault if ISO 3166-1 has not assigned it.
func country(errs *domain.FieldErrors, text string) string {
	code, ok := countries.Code(text)
	if !ok {
		errs.AddHint("country", "must be an ISO 3166-1 alpha-2 country code", "Germany is DE, the United Kingdom GB")
	}
	return code
}
