package tenant

import "ticketgate/domain"

// Seller sells tickets and belongs to one organization.
type Seller struct {
	ID             domain.SellerID `json:"_id"`
	OrganizationID domain.OrgID    `json:"organizationId"`
	Name           string          `json:"name"`
	// Country is an ISO 3166-1 alpha-2 code.
	Country string `json:"country"`
	// Webhooks lets the seller manage webhooks (decisions 4.5).
	Webhooks bool `json:"webhooks"`
	// SIREN makes its checkouts ask companies for their number (spec 7).
	SIREN     bool            `json:"siren"`
	CreatedAt domain.DateTime `json:"createdAt"`
	UpdatedAt domain.DateTime `json:"updatedAt"`
}

// Features returns the modules that are switched on for the seller.
func (s Seller) Features() domain.Features {
	return domain.Features{Webhooks: s.Webhooks, SIREN: s.SIREN}
}

// NewSeller is the input of createSeller.
type NewSeller struct {
	OrganizationID domain.OrgID `json:"organizationId"`
	Name           string       `json:"name"`
	Country        string       `json:"country"`
	Webhooks       bool         `json:"webhooks"`
	SIREN          bool         `json:"siren"`
}

// validate returns the input as it will be stored, or everything that is wrong with it.
func (n NewSeller) validate() (NewSeller, error) {
	var problems domain.Problems
	n.Name = problems.Name("name", n.Name)
	n.Country = country(&problems, n.Country)
	return n, problems.Err()
}

// SellerChange is the input of updateSeller. Nothing in it can be cleared: null is the same as absent.
type SellerChange struct {
	// SellerID may be left out where the call already acts on a seller.
	SellerID domain.SellerID         `json:"sellerId"`
	Name     domain.Optional[string] `json:"name"`
	Country  domain.Optional[string] `json:"country"`
	Webhooks domain.Optional[bool]   `json:"webhooks"`
	SIREN    domain.Optional[bool]   `json:"siren"`
}

// validate returns the change as it will be stored, or everything that is wrong with it.
func (c SellerChange) validate() (SellerChange, error) {
	var problems domain.Problems
	if c.Name.Value != nil {
		c.Name = domain.Some(problems.Name("name", *c.Name.Value))
	}
	if c.Country.Value != nil {
		c.Country = domain.Some(country(&problems, *c.Country.Value))
	}
	return c, problems.Err()
}

// apply returns the seller changed, but for the time of the change: whether there is one shows here.
func (c SellerChange) apply(s Seller) Seller {
	s.Name = c.Name.Or(s.Name)
	s.Country = c.Country.Or(s.Country)
	s.Webhooks = c.Webhooks.Or(s.Webhooks)
	s.SIREN = c.SIREN.Or(s.SIREN)
	return s
}

// country returns a code in its stored form, and notes one that ISO 3166-1 has not assigned.
func country(problems *domain.Problems, text string) string {
	code, ok := domain.Country(text)
	if !ok {
		problems.AddHint("country", "must be an ISO 3166-1 alpha-2 country code", "Germany is DE, the United Kingdom GB")
	}
	return code
}
