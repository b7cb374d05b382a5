package identification

import (
	"slices"
	"strings"

	"ticketgate/domain/texts"
)

// Form is the description of a details form for a shop (IDENT-9).
type Form struct {
	// SkipAddressInfo reports whether the shop can omit the address.
	SkipAddressInfo bool `json:"skipAddressInfo"`
	// EnforceAddress reports whether the shop must ask for the address.
	EnforceAddress bool `json:"enforceAddress,omitempty"`
	// IdentificationConfig is the seller's whole configuration, not only what applies now.
	IdentificationConfig Configuration `json:"identificationConfig,omitzero"`
	// Locale is the language of Texts. Both are omitted unless the shop asked for a language that has texts.
	Locale *string `json:"locale,omitempty"`
	// Texts has the labels for each document type in IdentificationConfig.
	Texts []Text `json:"texts,omitempty"`
}

// Text is the label and the hint for documents of a type.
type Text struct {
	Type  Type   `json:"type"`
	Label string `json:"label"`
	Hint  string `json:"hint"`
}

// formTexts holds the texts of all types by primary language.
var formTexts = map[string][]Text{
	"de": {{FranceSIREN, "SIREN-Nummer", "Neun Ziffern ohne Leerzeichen, zum Beispiel 732829320"}},
	"en": {{FranceSIREN, "SIREN number", "Nine digits without spaces, for example 732829320"}},
	"fr": {{FranceSIREN, "Numéro SIREN", "Neuf chiffres sans espaces, par exemple 732829320"}}, //nolint:misspell // French
}

// In returns the form with texts in the language of a tag such as de or de-AT. If there are none in that language, the form
// is returned unchanged.
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

// FormOf returns the form for a seller's checkouts. Skipped reports whether the event skips the address. A requirement
// that may ask for it takes precedence (IDENT-9).
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
