package identification

import (
	"slices"
	"strings"

	"ticketgate/domain/texts"
)

// Form tells a shop which details to ask for (spec 2.7).
type Form struct {
	// SkipAddressInfo lets the shop leave the address out.
	SkipAddressInfo bool `json:"skipAddressInfo"`
	// EnforceAddress makes the shop ask for it.
	EnforceAddress bool `json:"enforceAddress,omitempty"`
	// IdentificationConfig is all that the seller asks for, not only what applies by now (spec 4.5).
	IdentificationConfig Configuration `json:"identificationConfig,omitzero"`
	// Locale is the language of Texts. Both are absent unless the shop asked for a language that there are texts in.
	Locale *string `json:"locale,omitempty"`
	// Texts says what to show for each type of document in IdentificationConfig.
	Texts []Text `json:"texts,omitempty"`
}

// Text is what a form shows for documents of a type.
type Text struct {
	Type  Type   `json:"type"`
	Label string `json:"label"`
	Hint  string `json:"hint"`
}

// formTexts are those of every type, by the primary language.
var formTexts = map[string][]Text{
	"de": {{FranceSIREN, "SIREN-Nummer", "Neun Ziffern ohne Leerzeichen, zum Beispiel 732829320"}},
	"en": {{FranceSIREN, "SIREN number", "Nine digits without spaces, for example 732829320"}},
	"fr": {{FranceSIREN, "Numéro SIREN", "Neuf chiffres sans espaces, par exemple 732829320"}}, //nolint:misspell // French
}

// In returns the form with the texts of a language, which is a tag such as de or de-AT. A language without texts leaves the
// form as it is.
func (f Form) In(locale string) Form {
	language, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(texts.Trim(locale)), "_", "-"), "-")
	for _, text := range formTexts[language] {
		asked := slices.ContainsFunc(f.IdentificationConfig, func(group Group) bool {
			return slices.ContainsFunc(group, func(r Requirement) bool { return r.Type == text.Type })
		})
		if asked {
			f.Locale, f.Texts = &language, append(f.Texts, text)
		}
	}
	return f
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
