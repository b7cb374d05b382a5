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

// Buyer is who buys, as far as it is told: the members that a transaction has of its buyer (spec 2.8). None is required,
// but for what the seller's identification asks for.
type Buyer struct {
	// CustomerID is kept as it comes: customers may live elsewhere (decisions 1.1).
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
	// Country is stored as it is compared: a code in upper case. Other text counts as not yet known (TEXT-2).
	Country *string `json:"country,omitempty"`
	Postal  *string `json:"postal,omitempty"`
}

// BuyerAliases are fields of a buyer under the names that programs written for other platforms read. They repeat those of
// Buyer, so they are set whenever a buyer is written, and never read (WEBHOOK-21).
type BuyerAliases struct {
	Firstname *string  `json:"firstname,omitempty"`
	Address   *Address `json:"address,omitempty"`
}

// Address is the address of a buyer, as far as it is known.
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

// BuyerChange changes a buyer: an absent member keeps its value, and null or nothing but white space clears it
// (decisions 1.4, 9.4).
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

// change is a new buyer as a change of nobody.
func (b Buyer) change() BuyerChange {
	text := optional.FromPointer[string]
	return BuyerChange{
		CustomerID: text(b.CustomerID), Company: text(b.Company), Name: text(b.Name), Prename: text(b.Prename),
		Lastname: text(b.Lastname), Email: text(b.Email), Street: text(b.Street), Line2: text(b.Line2), City: text(b.City),
		State: text(b.State), Country: text(b.Country), Postal: text(b.Postal),
	}
}

// maxBuyerText bounds a text of a buyer, in characters.
const maxBuyerText = 200

// buyerNames are the texts of a buyer that are names (LIMIT-10). An address may have been typed in several lines.
var buyerNames = []string{"company", "name", "prename", "lastname"}

// apply puts the change into the buyer and notes everything that is wrong with it.
func (b *Buyer) apply(change BuyerChange, problems *domain.Problems) {
	if change.CustomerID.Set {
		b.CustomerID = change.CustomerID.Value
		if b.CustomerID != nil {
			problems.Reference("customerId", *b.CustomerID)
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
			problems.Length(text.path, trimmed, maxBuyerText)
			if slices.Contains(buyerNames, text.path) {
				problems.NoControl(text.path, trimmed)
			}
			*text.kept = &trimmed
		}
	}
	if change.Country.Set && b.Country != nil {
		*b.Country = countries.Text(*b.Country)
	}
	if change.Email.Set && b.Email != nil && !texts.ValidEmail(*b.Email) {
		problems.Add("email", "must be an e-mail address such as name@example.com")
	}
}

// identified is what the seller keeps of the documents that the buyer sent, or what it asks for beyond them: see
// identification.Check.
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
