package identification

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Buyer holds the relevant fields of checkout details or a purchase intent, as they were sent.
type Buyer struct {
	Company string
	Street  string
	Postal  string
	City    string
	Country string
	// Documents is the identification field. The zero value means that it was omitted.
	Documents ecmajson.Value
}

// AddressMessage is the message that clients show if the address is missing or incomplete.
const AddressMessage = "Address is required"

// MissingMessage is the start of the message that clients show if a document is missing. The accepted types follow.
const MissingMessage = "Missing required identification: "

// Check returns the buyer's documents as they are to be stored, with trimmed identifiers. If the buyer does not satisfy the
// seller's configuration, it returns a *RefusalError that names everything wrong (IDENT-8). Total is the order's total, nil
// if there is none yet. Documents that don't concern the seller are dropped (IDENT-3).
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
	var address domain.FieldErrors
	if demand.address {
		buyer.checkAddress(&address)
	}
	if err := found.refusal(missing, &address); err != nil {
		return nil, err
	}
	return found.kept, nil
}

// demand combines the requirements that apply.
type demand struct {
	groups  [][]demanded
	address bool
}

// demanded is one alternative of a group.
type demanded struct {
	kind    Type
	applies bool
}

// demand returns the groups that have a requirement that applies.
func (s Seller) demand(now situation) demand {
	var created demand
	for _, group := range s.inForce() {
		alternatives, asked := make([]demanded, len(group)), false
		for i, requirement := range group {
			applies := requirement.applies(now)
			alternatives[i] = demanded{kind: requirement.Type, applies: applies}
			asked = asked || applies
			created.address = created.address || (applies && requirement.RequireAddress)
		}
		if asked {
			created.groups = append(created.groups, alternatives)
		}
	}
	return created
}

// missing returns, for each unsatisfied group, the types that would satisfy it. Equal entries are returned once.
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

// namesOf joins the types whose requirements apply.
func namesOf(group []demanded) string {
	var names []string
	for _, alternative := range group {
		if alternative.applies && !slices.Contains(names, string(alternative.kind)) {
			names = append(names, string(alternative.kind))
		}
	}
	return strings.Join(names, " or ")
}

// checkAddress records each missing part of the address.
func (b Buyer) checkAddress(errs *domain.FieldErrors) {
	for _, part := range [...]struct{ path, text string }{{"street", b.Street}, {"postal", b.Postal}, {"city", b.City}} {
		if blank(part.text) {
			errs.Add(part.path, "is required")
		}
	}
	switch {
	case blank(b.Country):
		errs.Add("country", "is required")
	case countryOf(b.Country) == "":
		errs.AddHint("country", "must be an ISO 3166-1 alpha-2 country code", "France is FR")
	}
}

// refusal returns an error with all problems, whose message and reason are those of the first kind that occurred (IDENT-8).
// It returns nil if there are none.
func (r *reading) refusal(missing []string, address *domain.FieldErrors) error {
	wrong, reason := &r.errs, cmp.Or(r.reason, Malformed)
	var all domain.FieldErrors
	all.Under("", wrong.Err())
	for _, names := range missing {
		all.AddHint(documentsPath, "must contain a document of type "+names,
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
