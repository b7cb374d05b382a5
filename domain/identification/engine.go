package identification

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Buyer is what the buyer's side sent with checkout details or a purchase intent, as it came.
type Buyer struct {
	Company string
	Street  string
	Postal  string
	City    string
	Country string
	// Documents is the member identification; the zero value is an absent one.
	Documents ecmajson.Value
}

// AddressMessage is what clients show when the address is missing or incomplete (spec 7, decisions 2.6).
const AddressMessage = "Address is required"

// MissingMessage begins what clients show when a document is missing: the types that would do follow it.
const MissingMessage = "Missing required identification: "

// Check returns the buyer's documents as they are kept, with trimmed identifiers, or a VALIDATION_FAILED error that
// names all that is wrong: a bad number, a missing document and an incomplete address. Its message is that of the first
// of these three (decisions 2.6). The total is that of the order, nil while there is none. Documents that the seller
// has nothing to do with are dropped unread (spec 4.5.8).
func Check(buyer Buyer, seller Seller, total *big.Rat) ([]Document, error) {
	if !seller.asksForAny() {
		return nil, nil
	}
	found := reading{seller: seller}
	found.read(buyer.Documents)
	demand := seller.demand(situation{
		seller: seller, company: !blank(buyer.Company), country: countryOf(buyer.Country), total: total,
	})
	missing := demand.missing(found.sent)
	var address domain.Problems
	if demand.address {
		buyer.checkAddress(&address)
	}
	if err := found.refusal(missing, &address); err != nil {
		return nil, err
	}
	return found.kept, nil
}

// demand is what the requirements that apply ask for.
type demand struct {
	groups  [][]demanded
	address bool
}

// demanded is one document that would satisfy its group.
type demanded struct {
	kind    Type
	applies bool
}

// demand gathers the groups of which a requirement applies.
func (s Seller) demand(now situation) demand {
	var made demand
	for _, group := range s.inForce() {
		alternatives, asked := make([]demanded, len(group)), false
		for i, requirement := range group {
			applies := requirement.applies(now)
			alternatives[i] = demanded{kind: requirement.Type, applies: applies}
			asked = asked || applies
			made.address = made.address || (applies && requirement.RequireAddress)
		}
		if asked {
			made.groups = append(made.groups, alternatives)
		}
	}
	return made
}

// missing names, for each group that no document satisfies, those that would, once each.
func (d demand) missing(sent []Type) []string {
	var missing []string
	for _, group := range d.groups {
		if slices.ContainsFunc(group, func(a demanded) bool { return slices.Contains(sent, a.kind) }) {
			continue
		}
		if names := namesOf(group); !slices.Contains(missing, names) {
			missing = append(missing, names)
		}
	}
	return missing
}

// namesOf lists the types that a group asks for.
func namesOf(group []demanded) string {
	var names []string
	for _, alternative := range group {
		if alternative.applies && !slices.Contains(names, string(alternative.kind)) {
			names = append(names, string(alternative.kind))
		}
	}
	return strings.Join(names, " or ")
}

// checkAddress notes each part of a full address that is missing (spec 4.5.3).
func (b Buyer) checkAddress(problems *domain.Problems) {
	for _, part := range [...]struct{ path, text string }{{"street", b.Street}, {"postal", b.Postal}, {"city", b.City}} {
		if blank(part.text) {
			problems.Add(part.path, "is required")
		}
	}
	switch {
	case blank(b.Country):
		problems.Add("country", "is required")
	case countryOf(b.Country) == "":
		problems.AddHint("country", "must be an ISO 3166-1 alpha-2 country code", "France is FR")
	}
}

// refusal joins all that is wrong under the message of what comes first, and for its reason.
func (r *reading) refusal(missing []string, address *domain.Problems) error {
	wrong, reason := &r.problems, cmp.Or(r.reason, Malformed)
	var all domain.Problems
	all.Under("", wrong.Err())
	for _, names := range missing {
		all.AddHint(documentsPath, "must hold a document of the type "+names,
			"Send an array of objects with type and identifier")
	}
	all.Under("", address.Err())
	if !all.Any() {
		return nil
	}
	refused := domain.AsError(all.Err())
	switch {
	case wrong.Any():
		refused.Message = wrong.Err().Error()
	case len(missing) > 0:
		refused.Message, reason = MissingMessage+strings.Join(missing, ", "), MissingDocument
	default:
		refused.Message, reason = AddressMessage, NoFullAddress
	}
	return &RefusalError{Reason: reason, refused: refused}
}
