package identification

import (
	"math/big"

	"ticketgate/domain/countries"
	"ticketgate/domain/document"
)

// Requirement says when a document of a type is required (IDENT-2).
type Requirement struct {
	Type Type `json:"type"`
	// RequireAddress also requires the full address while the requirement applies.
	RequireAddress bool `json:"requireAddress,omitempty"`
	// ForceForB2B makes the requirement apply if there is a company.
	ForceForB2B bool `json:"forceForB2B,omitempty"`
	// ForceForInternational makes the requirement apply if the buyer's country is known and differs from the seller's.
	ForceForInternational bool `json:"forceForInternational,omitempty"`
	// ApplicableBuyerCountries limits the requirement to these countries. Nil means all countries, an empty list none.
	ApplicableBuyerCountries []string `json:"applicableBuyerCountries,omitzero"`
	// IdentificationThreshold makes the requirement apply from this order total on. Nil means no threshold.
	IdentificationThreshold *document.Number `json:"identificationThreshold,omitempty"`
}

// situation holds the values that decide whether a requirement applies.
type situation struct {
	seller  Seller
	company bool
	// country is an assigned code, empty if the buyer's country is unknown (IDENT-4).
	country string
	total   *big.Rat
}

func (r Requirement) applies(s situation) bool {
	return s.seller.asks(r.Type) && r.applicable(s.country) &&
		(r.reached(s.total) || (r.ForceForB2B && s.company) || (r.ForceForInternational && s.foreign()))
}

// foreign reports whether the buyer's country differs from the seller's. An unknown country does not (IDENT-4).
func (s situation) foreign() bool { return s.country != "" && s.country != countryOf(s.seller.Country) }

// applicable reports whether the requirement may apply in a country. An unknown country counts as listed, unless the list is
// empty (IDENT-4).
func (r Requirement) applicable(country string) bool {
	if r.ApplicableBuyerCountries == nil {
		return true
	}
	for _, listed := range r.ApplicableBuyerCountries {
		if country == "" || countryOf(listed) == country {
			return true
		}
	}
	return false
}

// reached reports whether the order total is at least the threshold.
func (r Requirement) reached(total *big.Rat) bool {
	if r.IdentificationThreshold == nil || total == nil {
		return false
	}
	threshold, ok := new(big.Rat).SetString(r.IdentificationThreshold.String())
	return ok && total.Cmp(threshold) >= 0
}

// everApplies reports whether the requirement can apply to any buyer of the seller.
func (r Requirement) everApplies(seller Seller) bool {
	nowhere := r.ApplicableBuyerCountries != nil && len(r.ApplicableBuyerCountries) == 0
	return seller.asks(r.Type) && !nowhere &&
		(r.IdentificationThreshold != nil || r.ForceForB2B || r.ForceForInternational)
}

// countryOf returns the assigned code of a country, empty if it is unknown.
func countryOf(text string) string {
	if code, ok := countries.Code(text); ok {
		return code
	}
	return ""
}
