package tenant_test

import (
	"strings"
	"testing"

	"ticketgate/domain/tenant"
	"ticketgate/graph"
	"ticketgate/graph/graphtest"
)

// ask sends a GraphQL document as the platform, acting on a seller.
func (w *fixture) ask(seller tenant.Seller, document string) string {
	w.T.Helper()
	resolver := &graph.Resolver{Sellers: w.sellers, Members: w.members, Invitations: w.invitations}
	return graphtest.API{T: w.T, Credentials: w.Store.Credentials(), Resolver: resolver}.Ask(seller.ID, document)
}

func TestGraphQLSetsSellerSettings(t *testing.T) {
	w := newFixture(t)
	seller := w.seller(w.organization("Org").ID, "Seller")
	const shown = `{ identificationConfig { type requireAddress forceForB2B forceForInternational applicableBuyerCountries
		identificationThreshold } invoicing { url signed } checkoutOrigins meta } }`
	const nothing = `{"identificationConfig":null,"invoicing":null,"checkoutOrigins":[],"meta":null}`
	for _, c := range [...]struct{ what, input, want string }{
		{"a new seller has no settings", ``, nothing},
		{
			"all settings",
			`identificationConfig: [[{type: france_siren, requireAddress: true, applicableBuyerCountries: [], identificationThreshold: 10.50},
				{type: france_siren, forceForB2B: true, forceForInternational: null, applicableBuyerCountries: null}], []],
				invoicing: {url: "https://invoices.ticketgate.dev/in", hmacKey: "a key"}, checkoutOrigins: ["https://shop.ticketgate.dev/"],
				meta: {b: 1, a: 2}`,
			`{"identificationConfig":[[{"type":"france_siren","requireAddress":true,"forceForB2B":false,"forceForInternational":false,` +
				`"applicableBuyerCountries":[],"identificationThreshold":10.5},{"type":"france_siren","requireAddress":false,` +
				`"forceForB2B":true,"forceForInternational":false,"applicableBuyerCountries":null,"identificationThreshold":null}],[]],` +
				`"invoicing":{"url":"https://invoices.ticketgate.dev/in","signed":true},"checkoutOrigins":["https://shop.ticketgate.dev"],` +
				`"meta":{"a":2,"b":1}}`,
		},
		{
			"an omitted key is kept, an empty configuration is stored",
			`identificationConfig: [], invoicing: {url: "https://invoices.ticketgate.dev/other"}, checkoutOrigins: [], meta: {}`,
			`{"identificationConfig":[],"invoicing":{"url":"https://invoices.ticketgate.dev/other","signed":true},"checkoutOrigins":[],"meta":{}}`,
		},
		{
			"a null key removes the key",
			`invoicing: {url: "https://invoices.ticketgate.dev/other", hmacKey: null}, meta: null`,
			`{"identificationConfig":[],"invoicing":{"url":"https://invoices.ticketgate.dev/other","signed":false},"checkoutOrigins":[],"meta":null}`,
		},
		{"null clears settings", `identificationConfig: null, invoicing: null, checkoutOrigins: null, meta: null`, nothing},
	} {
		answer := w.ask(seller, `mutation { updateSeller(input: {`+c.input+`}) `+shown)
		if want := `{"data":{"updateSeller":` + c.want + `},`; !strings.HasPrefix(answer, want) {
			t.Errorf("%s: got %s, want %s", c.what, answer, want)
		}
	}
	answer := w.ask(seller, `mutation { updateSeller(input: {identificationConfig: [[{type: france_siren}, {type: france_siren,
		identificationThreshold: -1, applicableBuyerCountries: ["FR", "GP", "France"]}]], checkoutOrigins: ["*"]}) { _id } }`)
	for _, path := range []string{
		`"path":"identificationConfig[0][1].identificationThreshold"`, `"path":"checkoutOrigins[0]"`,
		`"path":"identificationConfig[0][1].applicableBuyerCountries[2]"`,
	} {
		if !strings.Contains(answer, path) {
			t.Errorf("got %s, without %s", answer, path)
		}
	}
}

func TestAnUnknownPlaceIsReportedAtItsArgument(t *testing.T) {
	w := newFixture(t)
	seller := w.seller(w.organization("Org").ID, "Seller")
	for _, list := range []string{"members", "invitations"} {
		got := w.ask(seller, `{ `+list+`(place: {sellerId: "0123456789abcdef01234567"}) { totalCount } }`)
		if !strings.Contains(got, `"path":"place.sellerId"`) {
			t.Errorf("%s: got %s", list, got)
		}
	}
}
