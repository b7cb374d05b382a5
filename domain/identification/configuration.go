package identification

import (
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/document"
)

// Configuration lists the documents that a seller requires of its buyers. Every group must be satisfied (IDENT-2). If
// nil, the seller has no configuration of its own. If empty, no document is required.
type Configuration []Group

// Group is satisfied by one document of any of its requirements.
type Group []Requirement

// Seller holds the seller's settings that the identification rule depends on.
type Seller struct {
	Country string
	// SIREN reports whether the SIREN module is on (IDENT-1).
	SIREN bool
	// Configuration replaces the French configuration if it is not nil.
	Configuration Configuration
}

// territories are the countries in which the French rule applies, for sellers and buyers alike. Other French territories,
// such as French Guiana and Mayotte, are excluded (IDENT-1).
var territories = []string{"FR", "GP", "MQ", "RE"}

// asksForSIREN reports whether the seller is French and has the SIREN module (IDENT-1).
func (s Seller) asksForSIREN() bool {
	return s.SIREN && slices.Contains(territories, countryOf(s.Country))
}

// French returns the default configuration of French sellers with the SIREN module.
func French() Configuration {
	return Configuration{{{
		Type: FranceSIREN, RequireAddress: true, ForceForB2B: true, ApplicableBuyerCountries: slices.Clone(territories),
	}}}
}

// inForce returns the configuration that applies to the seller's checkouts, nil if there is none.
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

// The limits of a configuration are far above what any country's law requires.
const (
	maxGroups       = 20
	maxRequirements = 20
	maxCountries    = 300
)

// Checked returns the configuration with its countries as upper-case codes, ready to be stored. It adds all errors to
// problems, with paths below path such as identificationConfig[0][1].applicableBuyerCountries[2].
func (c Configuration) Checked(errs *domain.FieldErrors, path string) Configuration {
	if !errs.Count(path, len(c), maxGroups) {
		return c
	}
	checked := make(Configuration, len(c))
	for i, group := range c {
		checked[i] = group.checked(errs, domain.IndexPath(path, i))
	}
	return checked
}

func (g Group) checked(errs *domain.FieldErrors, path string) Group {
	if !errs.Count(path, len(g), maxRequirements) {
		return g
	}
	checked := make(Group, len(g))
	for i, requirement := range g {
		checked[i] = requirement.checked(errs, domain.IndexPath(path, i))
	}
	return checked
}

func (r Requirement) checked(errs *domain.FieldErrors, path string) Requirement {
	if names := r.Type.Names(); !slices.Contains(names, string(r.Type)) {
		errs.Add(path+".type", "must be one of "+strings.Join(names, ", "))
	}
	if negative(r.IdentificationThreshold) {
		errs.Add(path+".identificationThreshold", "must not be negative")
	}
	if r.ApplicableBuyerCountries == nil {
		return r
	}
	if !errs.Count(path+".applicableBuyerCountries", len(r.ApplicableBuyerCountries), maxCountries) {
		return r
	}
	countries := make([]string, 0, len(r.ApplicableBuyerCountries))
	for i, listed := range r.ApplicableBuyerCountries {
		code := countryOf(listed)
		if code == "" {
			errs.AddHint(domain.IndexPath(path+".applicableBuyerCountries", i),
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
