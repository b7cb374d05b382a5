package sales

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// TestTheFormIsTheSameInBothAPIs reads the whole form of an event that skips the address. The French configuration
// requires the address anyway.
func TestTheFormIsTheSameInBothAPIs(t *testing.T) {
	t.Parallel()
	s := openStorefront(t)
	o := s.Execute(t, apitest.Bearer(s.seller.APIKey), `mutation($id: ID!) { updateEvent(id: $id, input: {skipAddressInfo: true}) { skipAddressInfo } }`,
		object{"id": s.seller.EventID})
	if got := systemtest.Printed(t, o.Result); got != `{"updateEvent":{"skipAddressInfo":true}}` {
		t.Fatalf("the event: %v", o)
	}
	const form = `{"skipAddressInfo":false,"enforceAddress":true,"identificationConfig":[[{"type":"france_siren",` +
		`"requireAddress":true,"forceForB2B":true,%s"applicableBuyerCountries":["FR","GP","MQ","RE"]}]]}`
	want := map[string]string{
		"REST":    systemtest.Printed(t, systemtest.Decoded(t, fmt.Appendf(nil, form, ""))),
		"GraphQL": systemtest.Printed(t, systemtest.Decoded(t, fmt.Appendf(nil, form, `"forceForInternational":false,`))), // never null there
	}
	asked := apitest.To(domain.GetDetailsForm, object{"id": s.id})
	for name, who := range map[string]apitest.Caller{"a key": apitest.Bearer(s.seller.APIKey), "the secret": {"Checkout-Secret": s.secret}} {
		for api, got := range map[string]apitest.Outcome{
			"REST":    s.ThroughREST(t, who, apitest.RoutesOf(domain.GetDetailsForm)[0], asked),
			"GraphQL": s.ThroughGraphQL(t, who, asked),
		} {
			if form := systemtest.Printed(t, got.Result); got.Status != http.StatusOK || form != want[api] {
				t.Errorf("%s by %s: %d %s, want %s", api, name, got.Status, form, want[api])
			}
		}
	}
}

// BODY-21.
func TestUnknownParametersAreRefusedOnlyInLists(t *testing.T) {
	t.Parallel()
	s := openStorefront(t)
	key := "Authorization: Bearer " + s.seller.APIKey
	const unknown = "utm_source=mail&%ff=1&x=1&x=2"
	for _, row := range []struct {
		method, path, body string
		headers            []string
		status             int
		says               string
	}{
		{"GET", s.path("detailsform") + "?secret=" + s.secret + "&locale=de&" + unknown, "", nil, 200, `"label":"SIREN-Nummer"`},
		{"GET", s.path("detailsform") + "?locale=de-AT", "", []string{key}, 200, `"locale":"de"`},
		{"GET", s.path("detailsform") + "?locale=it", "", []string{key}, 200, `"applicableBuyerCountries":["FR","GP","MQ","RE"]}]]}`},
		{"GET", s.path("detailsform") + "?locale=de&locale=fr", "", []string{key}, 400, `"path":"locale"`},
		{"POST", s.path("details") + "?" + unknown, `{"city":"Paris"}`, []string{key, "Content-Type: application/json"}, 200, `"city":"Paris"`},
		{"POST", s.path("abort") + "?" + unknown, "", []string{key}, 200, `"ABORTED"`},
		{"GET", "/api/access-lists/entries/nothing/ticket?eventId=" + s.seller.EventID + "&" + unknown, "", nil, 401, "UNAUTHENTICATED"},
		{"GET", "/api/access-lists?" + unknown, "", []string{key}, 400, "utm_source is not a known parameter"},
		{"GET", "/api/webhooks?locale=de", "", []string{key}, 400, "locale is not a known parameter"},
		{"GET", "/api/accessusers?x=1", "", []string{key}, 400, "x is not a known parameter"},
	} {
		status, text := systemtest.Request(t, row.method, s.URL+row.path, row.body, row.headers...)
		if status != row.status || !strings.Contains(text, row.says) {
			t.Errorf("%s %s: got %d %.500s", row.method, row.path, status, text)
		}
	}
	o := s.Execute(t, apitest.Bearer(s.seller.APIKey), `query($id: ID!) { de: checkoutDetailsForm(id: $id, locale: "DE") { locale texts { type label hint } }
		none: checkoutDetailsForm(id: $id) { locale texts { label } } }`, object{"id": s.id})
	const want = `{"de":{"locale":"de","texts":[{"type":"france_siren","label":"SIREN-Nummer",` +
		`"hint":"Neun Ziffern ohne Leerzeichen, zum Beispiel 732829320"}]},"none":{}}`
	if got := systemtest.Printed(t, o.Result); got != systemtest.Printed(t, systemtest.Decoded(t, []byte(want))) {
		t.Errorf("GraphQL returned %s", got)
	}
}
