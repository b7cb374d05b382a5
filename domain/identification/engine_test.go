package identification_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/identification"
)

const siren = identification.FranceSIREN

func number(digits string) *document.Number {
	created := document.Number(digits)
	return &created
}

// one returns a configuration with a single requirement.
func one(r identification.Requirement) identification.Configuration {
	r.Type = siren
	return identification.Configuration{{r}}
}

func TestRequirementConditions(t *testing.T) {
	t.Parallel()
	threshold := one(identification.Requirement{IdentificationThreshold: number("0.3")})
	abroad := one(identification.Requirement{ForceForInternational: true})
	b2b := one(identification.Requirement{ForceForB2B: true})
	type row struct {
		config           identification.Configuration
		company, country string
		total            *big.Rat
		asked            bool
	}
	// 0.1 + 0.2, which is not 0.3 in binary floating point.
	sum := new(big.Rat).Add(big.NewRat(1, 10), big.NewRat(2, 10))
	for name, r := range map[string]row{
		"a total that equals the threshold reaches it":       {threshold, "", "FR", sum, true},
		"a total below the threshold does not":               {threshold, "", "FR", big.NewRat(299, 1000), false},
		"a company does not replace the threshold":           {threshold, "ACME", "FR", big.NewRat(1, 10), false},
		"an order without a total reaches no threshold":      {threshold, "ACME", "FR", nil, false},
		"a threshold of 0 is reached by an order of 0":       {one(identification.Requirement{IdentificationThreshold: number("0")}), "", "FR", new(big.Rat), true},
		"without a threshold the total triggers nothing":     {b2b, "", "FR", big.NewRat(1e9, 1), false},
		"without a trigger it never applies":                 {one(identification.Requirement{RequireAddress: true}), "ACME", "DE", big.NewRat(1e9, 1), false},
		"a company triggers B2B in any country":              {b2b, "ACME", "DE", nil, true},
		"white space is not a company":                       {b2b, "\u3000\ufeff ", "FR", nil, false},
		"another country triggers international":             {abroad, "", "DE", nil, true},
		"another territory triggers international":           {abroad, "", "RE", nil, true},
		"the seller's own country does not, in any spelling": {abroad, "", " fr", nil, false},
		"an unknown country is not another country":          {abroad, "", "XX", nil, false},
		"a missing country is not another country":           {abroad, "", "", nil, false},
		"a listed country": {
			one(identification.Requirement{ForceForB2B: true, ApplicableBuyerCountries: []string{"IT", "ES"}}), "ACME", "es", nil, true,
		},
		"a country that is not listed": {
			one(identification.Requirement{ForceForB2B: true, ApplicableBuyerCountries: []string{"IT", "ES"}}), "ACME", "FR", nil, false,
		},
		"an unknown country counts as listed": {
			one(identification.Requirement{ForceForB2B: true, ApplicableBuyerCountries: []string{"IT"}}), "ACME", "Italy", nil, true,
		},
		"an empty list applies nowhere": {
			one(identification.Requirement{ForceForB2B: true, ApplicableBuyerCountries: []string{}}), "ACME", "FR", nil, false,
		},
		"an empty list does not apply in an unknown country": {
			one(identification.Requirement{ForceForB2B: true, ApplicableBuyerCountries: []string{}}), "ACME", "", nil, false,
		},
		"a country that is not listed, for any total": {
			one(identification.Requirement{IdentificationThreshold: number("1"), ApplicableBuyerCountries: []string{"IT"}}), "", "FR", big.NewRat(9, 1), false,
		},
		"an empty group is satisfied":                     {identification.Configuration{{}}, "ACME", "FR", nil, false},
		"an empty configuration asks for nothing":         {identification.Configuration{}, "ACME", "FR", nil, false},
		"without a configuration, the French one applies": {nil, "ACME", "FR", nil, true},
		"every group must be satisfied":                   {identification.Configuration{{}, b2b[0]}, "ACME", "FR", nil, true},
		"the second alternative of a group counts":        {identification.Configuration{{threshold[0][0], b2b[0][0]}}, "ACME", "FR", nil, true},
	} {
		buyer := identification.Buyer{Company: r.company, Country: r.country, Street: "1 rue", Postal: "75002", City: "Paris"}
		seller := identification.Seller{Country: "FR", SIREN: true, Configuration: r.config}
		_, err := identification.Check(buyer, seller, r.total)
		if r.asked {
			refusedAs(t, name, err, "Missing required identification: france_siren", []string{"identification"})
		} else if err != nil {
			t.Errorf("%s: got %v", name, err)
		}
		buyer.Documents = parsed(t, `[{"type": "france_siren", "identifier": "732829320"}]`)
		if kept, err := identification.Check(buyer, seller, r.total); err != nil || len(kept) != 1 {
			t.Errorf("%s, with a document: %v, %v", name, kept, err)
		}
		for _, other := range []identification.Seller{{Country: "FR", Configuration: r.config}, {Country: "DE", SIREN: true, Configuration: r.config}} {
			if kept, err := identification.Check(buyer, other, r.total); err != nil || kept != nil {
				t.Errorf("%s, for a seller without the rule: %v, %v", name, kept, err)
			}
		}
	}
}

func TestAddressIsRequiredByOwnConfiguration(t *testing.T) {
	t.Parallel()
	document := parsed(t, `[{"type": "france_siren", "identifier": "732829320"}]`)
	buyer := identification.Buyer{Company: "ACME", Country: "de", Documents: document}
	seller := identification.Seller{Country: "fr ", SIREN: true, Configuration: one(identification.Requirement{ForceForB2B: true})}
	if _, err := identification.Check(buyer, seller, nil); err != nil {
		t.Errorf("a requirement without requireAddress: %v", err)
	}
	seller.Configuration[0][0].RequireAddress = true
	_, err := identification.Check(buyer, seller, nil)
	refusedAs(t, "with it", err, "Address is required", []string{"street", "postal", "city"})
	buyer.Company = ""
	if _, err := identification.Check(buyer, seller, nil); err != nil {
		t.Errorf("a requirement that does not apply: %v", err)
	}
}

func TestMalformedDocuments(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`"732829320"`:                                                  "identification",
		`{"type": "france_siren"}`:                                     "identification",
		`["732829320", null]`:                                          "identification[0] identification[1]",
		`[{"identifier": "732829320"}]`:                                "identification[0].type",
		`[{"type": 1, "identifier": "1"}]`:                             "identification[0].type",
		`[{}]`:                                                         "identification[0].type identification[0].identifier",
		`[{"type": "FRANCE_SIREN"}]`:                                   "identification[0].type identification[0].identifier",
		`[{"type": "x", "identifier": 732829320}]`:                     "identification[0].type identification[0].identifier",
		`[{"type": "france_siren"}]`:                                   "identification[0].identifier",
		`[{"type": "france_siren", "id": "1"}]`:                        "identification[0].identifier",
		`[{"type": "france_siren", "Identifier": "732829320"}]`:        "identification[0].Identifier identification[0].identifier",
		`[{"type": "france_siren", "identifier": "1"}, {"type": "x"}]`: "identification[0].identifier identification[1].type identification[1].identifier",
		`[` + strings.Repeat(`{},`, 10) + `{}]`:                        "identification",
		`[{"type": "france_siren", "identifier": "732829320", "country": "FR"}]`: "",
		`[` + strings.Repeat(goodDocument+`,`, 9) + goodDocument + `]`:           "",
	} {
		buyer := identification.Buyer{Documents: parsed(t, sent)}
		_, err := identification.Check(buyer, identification.Seller{Country: "MQ", SIREN: true}, nil)
		if want == "" {
			if err != nil {
				t.Errorf("%s: got %v", sent, err)
			}
			continue
		}
		refusedAs(t, sent, err, strings.Fields(want)[0]+" ", strings.Fields(want))
		for name, seller := range map[string]identification.Seller{"off": {Country: "FR"}, "abroad": {Country: "GF", SIREN: true}} {
			if kept, err := identification.Check(buyer, seller, nil); err != nil || kept != nil {
				t.Errorf("%s is not dropped (%s): %v, %v", sent, name, kept, err)
			}
		}
	}
}

// If the value is not a list, it may still contain any document. So no second error at the same path says that one is
// missing.
func TestAValueThatIsNoListHasOneFault(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{`"732829320"`, goodDocument, `732829320`, `[` + strings.Repeat(`{},`, 10) + `{}]`} {
		buyer := identification.Buyer{Company: "ACME", Country: "FR", Documents: parsed(t, sent)}
		_, err := identification.Check(buyer, identification.Seller{Country: "FR", SIREN: true}, nil)
		refusedAs(t, sent, err, "identification must", []string{"identification", "street", "postal", "city"})
	}
}

const goodDocument = `{"type": "france_siren", "identifier": "356000000"}`

func TestForm(t *testing.T) {
	t.Parallel()
	const french = `"identificationConfig":[[{"type":"france_siren","requireAddress":true,"forceForB2B":true,` +
		`"applicableBuyerCountries":["FR","GP","MQ","RE"]}]]`
	never := one(identification.Requirement{RequireAddress: true, ApplicableBuyerCountries: []string{}, ForceForB2B: true})
	own := one(identification.Requirement{IdentificationThreshold: number("99.5"), ForceForInternational: true})
	for name, row := range map[string]struct {
		seller  identification.Seller
		skipped bool
		want    string
	}{
		"the French one, although events skip the address": {
			identification.Seller{Country: "GP", SIREN: true}, true, `{"skipAddressInfo":false,"enforceAddress":true,` + french + `}`,
		},
		"the French one": {identification.Seller{Country: "FR", SIREN: true}, false, `{"skipAddressInfo":false,"enforceAddress":true,` + french + `}`},
		"none with the module off": {
			identification.Seller{Country: "FR", Configuration: own}, true, `{"skipAddressInfo":true}`,
		},
		"none outside France": {identification.Seller{Country: "DE", SIREN: true}, false, `{"skipAddressInfo":false}`},
		"a configuration that never requires the address": {
			identification.Seller{Country: "FR", SIREN: true, Configuration: own},
			true,
			`{"skipAddressInfo":true,"identificationConfig":[[{"type":"france_siren","forceForInternational":true,"identificationThreshold":99.5}]]}`,
		},
		"a configuration without countries": {
			identification.Seller{Country: "FR", SIREN: true, Configuration: never},
			true,
			`{"skipAddressInfo":true,"identificationConfig":[[{"type":"france_siren","requireAddress":true,"forceForB2B":true,"applicableBuyerCountries":[]}]]}`,
		},
		"an empty one": {
			identification.Seller{Country: "FR", SIREN: true, Configuration: identification.Configuration{}},
			true,
			`{"skipAddressInfo":true,"identificationConfig":[]}`,
		},
	} {
		if got, err := json.Marshal(identification.FormOf(row.seller, row.skipped)); err != nil || string(got) != row.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, row.want)
		}
	}
}

func TestConfigurationIsChecked(t *testing.T) {
	t.Parallel()
	var errs domain.FieldErrors
	given := identification.Configuration{
		{
			{Type: siren, ForceForB2B: true, ApplicableBuyerCountries: []string{" fr", "GP", "FR"}},
			{Type: "siret", IdentificationThreshold: number("-0.01"), ApplicableBuyerCountries: []string{"FR", "DE", "UK"}},
		},
		{},
		{{Type: siren, ApplicableBuyerCountries: []string{}}},
	}
	checked := given.Checked(&errs, "identificationConfig")
	var paths []string
	for _, field := range domain.AsError(errs.Err()).Fields {
		paths = append(paths, field.Path)
	}
	if want := []string{
		"identificationConfig[0][1].type", "identificationConfig[0][1].identificationThreshold",
		"identificationConfig[0][1].applicableBuyerCountries[2]",
	}; !slices.Equal(paths, want) {
		t.Errorf("got the paths %q, want %q", paths, want)
	}
	if got := checked[0][0].ApplicableBuyerCountries; !slices.Equal(got, []string{"FR", "GP"}) {
		t.Errorf("got the countries %q", got)
	}
	if got := checked[2][0].ApplicableBuyerCountries; got == nil || len(got) != 0 || checked[1] == nil {
		t.Errorf("got %v for an empty list and %v for an empty group", got, checked[1])
	}
	if given[0][0].ApplicableBuyerCountries[0] != " fr" {
		t.Error("the input was modified")
	}
	for _, large := range []identification.Configuration{make(identification.Configuration, 21), {make(identification.Group, 21)}} {
		var errs domain.FieldErrors
		if large.Checked(&errs, "c"); len(domain.AsError(errs.Err()).Fields) != 1 {
			t.Errorf("got %v", errs.Err())
		}
	}
}
