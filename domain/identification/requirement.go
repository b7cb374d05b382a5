package identification

import (
	"math/big"

	"ticketgate/domain/countries"
	"ticketgate/domain/document"
)

// Requirement says when a document of a type is asked for (spec 2.7, 4.5.5).
type Requirement struct {
	Type Type `json:"type"`
	// RequireAddress asks for the full address, too, while the requirement applies.
	RequireAddress bool `json:"requireAddress,omitempty"`
	// ForceForB2B makes it apply once a company is named.
	ForceForB2B bool `json:"forceForB2B,omitempty"`
	// ForceForInternational makes it apply when the buyer's country is known and not the seller's.
	ForceForInternational bool `json:"forceForInternational,omitempty"`
	// ApplicableBuyerCountries are the only ones it may apply in: nil are all, and an empty list is none.
	ApplicableBuyerCountries []string `json:"applicableBuyerCountries,omitzero"`
	// IdentificationThreshold makes it apply from this order total upward; nil is no threshold.
	IdentificationThreshold *document.Number `json:"identificationThreshold,omitempty"`
}

// situation is what decides whether a requirement applies.
type situation struct {
	seller  Seller
	company bool
	// country is an assigned code, or empty while the buyer's country is not known (decisions 9.2).
	country string
	total   *big.Rat
}

func (r Requirement) applies(s situation) bool {
	return s.seller.asks(r.Type) && r.applicable(s.country) &&
		(r.reached(s.total) || (r.ForceForB2B && s.company) || (r.ForceForInternational && s.foreign()))
}

// foreign tells that the buyer's country differs from the seller's; one that is not known does not (decisions 9.7).
func (s situation) foreign() bool { return s.country != "" && s.country != countryOf(s.seller.Country) }

// applicable tells whether the requirement may apply in a country. One that is not known yet exempts nobody
// (spec 4.5.2), except from what applies nowhere (decisions 9.7).
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

// reached tells whether the order total reaches the threshold; one that is equal does (decisions 9.7).
func (r Requirement) reached(total *big.Rat) bool {
	if r.IdentificationThreshold == nil || total == nil {
		return false
	}
	threshold, ok := new(big.Rat).SetString(r.IdentificationThreshold.String())
	return ok && total.Cmp(threshold) >= 0
}

// everApplies tells whether there is a buyer of the seller's whom the requirement applies to.
func (r Requirement) everApplies(seller Seller) bool {
	nowhere := r.ApplicableBuyerCountries != nil && len(r.ApplicableBuyerCountries) == 0
	return seller.asks(r.Type) && !nowhere &&
		(r.IdentificationThreshold != nil || r.ForceForB2B || r.ForceForInternational)
}

// countryOf is a country's assigned code, or empty for what is none (decisions 9.2).
func countryOf(text string) string {
	if code, ok := countries.Code(text); ok {
		return code
	}
	return ""
}
