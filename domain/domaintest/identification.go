package domaintest

import (
	"slices"
	"strings"
)

// IdentificationRow is a test case for company identification: a seller, the details that a buyer sends, and the
// expected result.
type IdentificationRow struct {
	SellerCountry string
	Module        bool

	Company, Street, Postal, City, Country string
	// Identification is the JSON text of the field, or "" if it is not sent.
	Identification string

	// Message is the expected message, or a part of it for an invalid number. It is empty if the details are accepted.
	Message string
	// Paths are the fields that the error names, in the order of the checks.
	Paths []string
	// Kept is the identifier that is stored, or "".
	Kept string
}

// sentDocument is a form of the field identification with its expected result.
type sentDocument struct {
	text string
	kept string
	// wrong is a part of the expected message, path the field that it names.
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

// Countries that buyers send, by their effect on the rule.
var (
	insideCountries  = []string{"FR", "GP", "MQ", "RE", "fr", " Re\n"}
	outsideCountries = []string{"GF", "YT", "PF", "NC", "CH", "de"}
	unknownCountries = []string{"", "  ", "XX", "UK", "France"}
)

// IdentificationRows returns every combination of seller, company, country, address and document. It derives the
// expected results from the rules (IDENT-1 to IDENT-8) independently of their implementation.
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

// judged adds the expected result.
func judged(row IdentificationRow, address sentAddress, document sentDocument) IdentificationRow {
	// The rule applies only with the module, and documents are dropped outside France (IDENT-1).
	if !row.Module || row.SellerCountry == "DE" {
		return row
	}
	// A SIREN is required for a company whose country is one of the four or unknown (IDENT-2, IDENT-4).
	required := row.Company == "ACME SARL" && !slices.Contains(outsideCountries, row.Country)
	if document.wrong != "" {
		row.Message, row.Paths = document.wrong, append(row.Paths, document.path)
	}
	if required && document.kept == "" && document.wrong == "" {
		row.Message, row.Paths = "Missing required identification: france_siren", append(row.Paths, "identification")
	}
	// Whenever a SIREN is required, so is the full address including the country (IDENT-2).
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

// String identifies the row in a test's output.
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
