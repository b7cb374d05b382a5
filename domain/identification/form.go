package identification

// Form tells a shop which details to ask for (spec 2.7).
type Form struct {
	// SkipAddressInfo lets the shop leave the address out.
	SkipAddressInfo bool `json:"skipAddressInfo"`
	// EnforceAddress makes the shop ask for it.
	EnforceAddress bool `json:"enforceAddress,omitempty"`
	// IdentificationConfig is all that the seller asks for, not only what applies by now (spec 4.5).
	IdentificationConfig Configuration `json:"identificationConfig,omitzero"`
}

// FormOf is the form for a seller's checkout; skipped tells that each of its events is set to skip the address. Where a
// requirement may yet ask for the address, that setting is overridden (spec 4.5.3, 4.5.6).
func FormOf(seller Seller, skipped bool) Form {
	form := Form{IdentificationConfig: seller.inForce()}
	for _, group := range form.IdentificationConfig {
		for _, requirement := range group {
			form.EnforceAddress = form.EnforceAddress || (requirement.RequireAddress && requirement.everApplies(seller))
		}
	}
	form.SkipAddressInfo = skipped && !form.EnforceAddress
	return form
}
