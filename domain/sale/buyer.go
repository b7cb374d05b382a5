package sale

import (
	"math/big"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/countries"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// Buyer holds a transaction's buyer fields. All are optional, except those that the seller's identification configuration
// requires.
type Buyer struct {
	// CustomerID is stored as sent. The customer need not exist here (SALE-12).
	CustomerID *string `json:"customerId,omitempty"`
	Company    *string `json:"company,omitempty"`
	Name       *string `json:"name,omitempty"`
	Prename    *string `json:"prename,omitempty"`
	Lastname   *string `json:"lastname,omitempty"`
	Email      *string `json:"email,omitempty"`
	Street     *string `json:"street,omitempty"`
	Line2      *string `json:"line2,omitempty"`
	City       *string `json:"city,omitempty"`
	State      *string `json:"state,omitempty"`
	// Country is trimmed. A country code is stored in upper case. Other text counts as an unknown country (TEXT-2).
	Country *string `json:"country,omitempty"`
	Postal  *string `json:"postal,omitempty"`
}

// BuyerAliases repeats fields of Buyer under the names that programs written for other platforms read. They are set on output
// and ignored on input (WEBHOOK-21).
type BuyerAliases struct {
	Firstname *string  `json:"firstname,omitempty"`
	Address   *Address `json:"address,omitempty"`
}

// Address is the known part of a buyer's address.
type Address struct {
	Street  *string `json:"street,omitempty"`
	Line2   *string `json:"line2,omitempty"`
	Postal  *string `json:"postal,omitempty"`
	City    *string `json:"city,omitempty"`
	State   *string `json:"state,omitempty"`
	Country *string `json:"country,omitempty"`
}

func (b Buyer) aliases() BuyerAliases {
	aliases := BuyerAliases{Firstname: b.Prename}
	if at := (Address{b.Street, b.Line2, b.Postal, b.City, b.State, b.Country}); at != (Address{}) {
		aliases.Address = &at
	}
	return aliases
}

// BuyerChange is a partial update of a Buyer. A field that is not set keeps its value. Null or white space clears it.
type BuyerChange struct {
	CustomerID optional.Value[string] `json:"customerId"`
	Company    optional.Value[string] `json:"company"`
	Name       optional.Value[string] `json:"name"`
	Prename    optional.Value[string] `json:"prename"`
	Lastname   optional.Value[string] `json:"lastname"`
	Email      optional.Value[string] `json:"email"`
	Street     optional.Value[string] `json:"street"`
	Line2      optional.Value[string] `json:"line2"`
	City       optional.Value[string] `json:"city"`
	State      optional.Value[string] `json:"state"`
	Country    optional.Value[string] `json:"country"`
	Postal     optional.Value[string] `json:"postal"`
}

// change returns b as a change to an empty buyer. Nil fields become null.
func (b Buyer) change() BuyerChange {
	text := optional.FromPointer[string]
	return BuyerChange{
		CustomerID: text(b.CustomerID), Company: text(b.Company), Name: text(b.Name), Prename: text(b.Prename),
		Lastname: text(b.Lastname), Email: text(b.Email), Street: text(b.Street), Line2: text(b.Line2), City: text(b.City),
		State: text(b.State), Country: text(b.Country), Postal: text(b.Postal),
	}
}

// maxBuyerText is the maximum length of a buyer's text field, in characters.
const maxBuyerText = 200

// buyerNames lists the text fields that are names and must not contain control characters (LIMIT-10). Address fields may
// contain line breaks.
var buyerNames = []string{"company", "name", "prename", "lastname"}

// apply applies change to b and adds all validation errors to errs.
func (b *Buyer) apply(change BuyerChange, errs *domain.FieldErrors) {
	if change.CustomerID.Set {
		b.CustomerID = change.CustomerID.Value
		if b.CustomerID != nil {
			errs.Reference("customerId", *b.CustomerID)
		}
	}
	for _, text := range [...]struct {
		path string
		sent optional.Value[string]
		kept **string
	}{
		{"company", change.Company, &b.Company},
		{"name", change.Name, &b.Name},
		{"prename", change.Prename, &b.Prename},
		{"lastname", change.Lastname, &b.Lastname},
		{"email", change.Email, &b.Email},
		{"street", change.Street, &b.Street},
		{"line2", change.Line2, &b.Line2},
		{"city", change.City, &b.City},
		{"state", change.State, &b.State},
		{"country", change.Country, &b.Country},
		{"postal", change.Postal, &b.Postal},
	} {
		if !text.sent.Set {
			continue
		}
		*text.kept = nil
		if trimmed := texts.Trim(text.sent.Or("")); trimmed != "" {
			errs.Length(text.path, trimmed, maxBuyerText)
			if slices.Contains(buyerNames, text.path) {
				errs.NoControl(text.path, trimmed)
			}
			*text.kept = &trimmed
		}
	}
	if change.Country.Set && b.Country != nil {
		*b.Country = countries.Text(*b.Country)
	}
	if change.Email.Set && b.Email != nil && !texts.ValidEmail(*b.Email) {
		errs.Add("email", "must be an email address such as name@example.com")
	}
}

// identified checks documents by the seller's identification rule for an order of the given total. It returns the
// documents to store. See identification.Check for the errors.
func (b Buyer) identified(
	by identification.Seller, documents ecmajson.Value, total *big.Rat,
) ([]identification.Document, error) {
	return identification.Check(identification.Buyer{
		Company: given(b.Company), Street: given(b.Street), Postal: given(b.Postal), City: given(b.City),
		Country: given(b.Country), Documents: documents,
	}, by, total)
}

func given(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
