package identification

import (
	"fmt"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/document"
)

// Configuration is what a seller asks of its buyers: every group must be satisfied (spec 4.5.4). Nil is none of the
// seller's own; an empty one asks for nothing.
type Configuration []Group

// Group is satisfied by a document of any one of its requirements.
type Group []Requirement

// Seller is what the rule depends on at the seller's side.
type Seller struct {
	Country string
	// SIREN tells whether the module is on (decisions 9.1).
	SIREN bool
	// Configuration is the seller's own, which takes the place of the one the module brings.
	Configuration Configuration
}

// territories are where the French rule holds, for sellers and buyers alike: a buyer elsewhere in the Republic, as in
// French Guiana or Mayotte, is outside (spec 4.5.2, decisions 9.1).
var territories = []string{"FR", "GP", "MQ", "RE"}

// asksForSIREN tells whether the rule exists for the seller: it is French and has the module (spec 4.5.1, 4.5.8).
func (s Seller) asksForSIREN() bool {
	return s.SIREN && slices.Contains(territories, countryOf(s.Country))
}

// French is what a French seller asks for unless it says otherwise (spec 4.5.6).
func French() Configuration {
	return Configuration{{{
		Type: FranceSIREN, RequireAddress: true, ForceForB2B: true, ApplicableBuyerCountries: slices.Clone(territories),
	}}}
}

// inForce is the configuration that holds for the seller's checkouts; nil is none.
func (s Seller) inForce() Configuration {
	switch {
	case !s.asksForAny():
		return nil
	case s.Configuration != nil:
		return s.Configuration
	case s.asksForSIREN():
		return French()
	}
	return nil
}

// The limits of a configuration: far more than any country's law asks for.
const (
	maxGroups       = 20
	maxRequirements = 20
	maxCountries    = 300
)

// Checked returns the configuration as it is stored, with its countries as upper-case codes, and notes what is wrong
// with it below path, such as identificationConfig[0][1].applicableBuyerCountries[2].
func (c Configuration) Checked(problems *domain.Problems, path string) Configuration {
	if len(c) > maxGroups {
		problems.Add(path, fmt.Sprintf("must have at most %d groups, not %d", maxGroups, len(c)))
		return c
	}
	checked := make(Configuration, len(c))
	for i, group := range c {
		checked[i] = group.checked(problems, domain.IndexPath(path, i))
	}
	return checked
}

func (g Group) checked(problems *domain.Problems, path string) Group {
	if len(g) > maxRequirements {
		problems.Add(path, fmt.Sprintf("must have at most %d requirements, not %d", maxRequirements, len(g)))
		return g
	}
	checked := make(Group, len(g))
	for i, requirement := range g {
		checked[i] = requirement.checked(problems, domain.IndexPath(path, i))
	}
	return checked
}

func (r Requirement) checked(problems *domain.Problems, path string) Requirement {
	if names := r.Type.Names(); !slices.Contains(names, string(r.Type)) {
		problems.Add(path+".type", "must be one of "+strings.Join(names, ", "))
	}
	if negative(r.IdentificationThreshold) {
		problems.Add(path+".identificationThreshold", "must not be negative")
	}
	if r.ApplicableBuyerCountries == nil {
		return r
	}
	if !problems.Count(path+".applicableBuyerCountries", len(r.ApplicableBuyerCountries), maxCountries) {
		return r
	}
	countries := make([]string, 0, len(r.ApplicableBuyerCountries))
	for i, listed := range r.ApplicableBuyerCountries {
		code := countryOf(listed)
		if code == "" {
			problems.AddHint(domain.IndexPath(path+".applicableBuyerCountries", i),
				"must be an ISO 3166-1 alpha-2 country code", "France is FR, Réunion RE")
		}
		if !slices.Contains(countries, code) {
			countries = append(countries, code)
		}
	}
	r.ApplicableBuyerCountries = countries
	return r
}

func negative(number *document.Number) bool {
	return number != nil && strings.HasPrefix(number.String(), "-")
}
