package domaintest

import (
	"slices"
	"strings"
)

// IdentificationRow is one case of the rule on company identification: what a seller is, what a buyer sends, and what
// must come of it.
type IdentificationRow struct {
	SellerCountry string
	Module        bool

	Company, Street, Postal, City, Country string
	// Identification is the JSON text of the member, empty when it is not sent.
	Identification string

	// Message is what the refusal says as a whole, or a part of it for a wrong number; empty when nothing is refused.
	Message string
	// Paths are the members that the refusal names, in the order of the checks.
	Paths []string
	// Kept is the identifier that is carried along; empty for none.
	Kept string
}

// sentDocument is one way to send an identification, judged by eye.
type sentDocument struct {
	text string
	kept string
	// wrong is what the message says of it, path the member that it names.
	wrong, path string
}

var sentDocuments = []sentDocument{
	{},
	{text: `null`},
	{text: `[]`},
	{text: siren(`"732829320"`), kept: "732829320"},
	{text: siren(`" 356000000\t"`), kept: "356000000"},
	{text: siren(`"000000000"`), kept: "000000000"},
	{text: siren(`"732829321"`), wrong: "check digit", path: "identification[0].identifier"},
	{text: siren(`"73282932"`), wrong: "not 8", path: "identification[0].identifier"},
	{text: siren(`"73282932000074"`), wrong: "the first nine digits of a SIRET are the SIREN", path: "identification[0].identifier"},
	{text: siren(`"732 829 320"`), wrong: "remove the spaces", path: "identification[0].identifier"},
	{text: siren(`"73282932O"`), wrong: "only the digits 0 to 9", path: "identification[0].identifier"},
	{text: siren(`732829320`), wrong: "must be a string", path: "identification[0].identifier"},
}

func siren(identifier string) string {
	return `[{"type": "france_siren", "identifier": ` + identifier + `}]`
}

type sentAddress struct {
	street, postal, city string
	missing              []string
}

var sentAddresses = []sentAddress{
	{street: "1 rue de la Paix", postal: "75002", city: "Paris"},
	{postal: "75002", city: "Paris", missing: []string{"street"}},
	{street: "1 rue de la Paix", postal: " \u00a0", city: "Paris", missing: []string{"postal"}},
	{street: "1 rue de la Paix", postal: "75002", missing: []string{"city"}},
	{missing: []string{"street", "postal", "city"}},
}

// What buyers name as their country, by what the rule makes of it.
var (
	insideCountries  = []string{"FR", "GP", "MQ", "RE", "fr", " Re\n"}
	outsideCountries = []string{"GF", "YT", "PF", "NC", "CH", "de"}
	unknownCountries = []string{"", "  ", "XX", "UK", "France"}
)

// IdentificationRows is every seller with every company, country, address and document: what the sentences of the
// specification say, one after the other, and nothing of how they are implemented (spec 4.5, 7, decisions 2.6, 9).
func IdentificationRows() []IdentificationRow {
	rows := make([]IdentificationRow, 0, 4000)
	for _, seller := range []IdentificationRow{
		{SellerCountry: "FR", Module: true},
		{SellerCountry: "RE", Module: true},
		{SellerCountry: "FR"},
		{SellerCountry: "DE", Module: true},
	} {
		for _, company := range []string{"", " \t\u00a0", "ACME SARL"} {
			for _, country := range slices.Concat(insideCountries, outsideCountries, unknownCountries) {
				seller.Company, seller.Country = company, country
				rows = append(rows, withAddressAndDocument(seller)...)
			}
		}
	}
	return rows
}

func withAddressAndDocument(row IdentificationRow) []IdentificationRow {
	rows := make([]IdentificationRow, 0, len(sentAddresses)*len(sentDocuments))
	for _, address := range sentAddresses {
		for _, document := range sentDocuments {
			row.Street, row.Postal, row.City, row.Identification = address.street, address.postal, address.city, document.text
			rows = append(rows, judged(row, address, document))
		}
	}
	return rows
}

// judged adds the verdict.
func judged(row IdentificationRow, address sentAddress, document sentDocument) IdentificationRow {
	// 4.5.1 and 4.5.8: the rule exists only with the module, and documents are dropped outside France.
	if !row.Module || row.SellerCountry == "DE" {
		return row
	}
	// 4.5.2: a company is set, and the country is one of the four or not yet known.
	required := row.Company == "ACME SARL" && !slices.Contains(outsideCountries, row.Country)
	// 4.5.7: a number that is sent is checked, also where none is required (decisions 9.5).
	if document.wrong != "" {
		row.Message, row.Paths = document.wrong, append(row.Paths, document.path)
	}
	if required && document.kept == "" && document.wrong == "" {
		row.Message, row.Paths = "Missing required identification: france_siren", append(row.Paths, "identification")
	}
	// 4.5.3: whenever a SIREN is required, so is the full address, of which the country is a part.
	missing := slices.Clone(address.missing)
	if slices.Contains(unknownCountries, row.Country) {
		missing = append(missing, "country")
	}
	if required && len(missing) > 0 {
		if row.Message == "" {
			row.Message = "Address is required"
		}
		row.Paths = append(row.Paths, missing...)
	}
	if row.Message == "" {
		row.Kept = document.kept
	}
	return row
}

// String tells rows apart in a test's output.
func (r IdentificationRow) String() string {
	module := "without the module"
	if r.Module {
		module = "with the module"
	}
	return strings.Join([]string{
		r.SellerCountry + " seller " + module, "company " + r.Company, r.Street + "/" + r.Postal + "/" + r.City + "/" + r.Country,
		r.Identification,
	}, ", ")
}
