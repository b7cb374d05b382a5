package main

import (
	"fmt"
	"net/http"
	"testing"

	"ticketgate/domain"
)

// TestTheFormIsTheSameThroughBothDoors reads the whole form of an event that skips the address: the French configuration
// asks for it all the same (spec 2.7, 4.5.3, 4.5.6).
func TestTheFormIsTheSameThroughBothDoors(t *testing.T) {
	t.Parallel()
	s := openStorefront(t)
	o := s.execute(t, bearer(s.seller.APIKey), `mutation($id: ID!) { updateEvent(id: $id, input: {skipAddressInfo: true}) { skipAddressInfo } }`,
		object{"id": s.seller.EventID})
	if got := printed(t, o.result); got != `{"updateEvent":{"skipAddressInfo":true}}` {
		t.Fatalf("the event: %v", o)
	}
	const form = `{"skipAddressInfo":false,"enforceAddress":true,"identificationConfig":[[{"type":"france_siren",` +
		`"requireAddress":true,"forceForB2B":true,%s"applicableBuyerCountries":["FR","GP","MQ","RE"]}]]}`
	want := map[string]string{
		"REST":    printed(t, decoded(t, fmt.Appendf(nil, form, ""))),
		"GraphQL": printed(t, decoded(t, fmt.Appendf(nil, form, `"forceForInternational":false,`))), // never null there
	}
	asked := call{domain.GetDetailsForm, object{"id": s.id}}
	for name, who := range map[string]caller{"a key": bearer(s.seller.APIKey), "the secret": {"Checkout-Secret": s.secret}} {
		for door, got := range map[string]outcome{
			"REST":    s.throughREST(t, who, routesOf(domain.GetDetailsForm)[0], asked),
			"GraphQL": s.throughGraphQL(t, who, asked),
		} {
			if form := printed(t, got.result); got.status != http.StatusOK || form != want[door] {
				t.Errorf("%s by %s: %d %s, want %s", door, name, got.status, form, want[door])
			}
		}
	}
}
