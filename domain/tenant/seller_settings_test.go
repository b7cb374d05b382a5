package tenant_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/tenant"
)

// settings decodes a change from JSON, keeping omitted, null and set fields apart.
func settings(t *testing.T, text string) tenant.SellerChange {
	t.Helper()
	var sent struct {
		Config    *identification.Configuration `json:"identificationConfig"`
		Invoicing *struct{ URL, HMACKey *string }
		Origins   *[]string       `json:"checkoutOrigins"`
		Meta      *ecmajson.Value `json:"meta"`
	}
	if err := json.Unmarshal([]byte(text), &sent); err != nil {
		t.Fatal(err)
	}
	var change tenant.SellerChange
	if change.IdentificationConfig.Set = strings.Contains(text, "identificationConfig"); sent.Config != nil {
		change.IdentificationConfig = optional.Some(*sent.Config)
	}
	if change.Invoicing.Set = strings.Contains(text, "invoicing"); sent.Invoicing != nil {
		invoicing := tenant.InvoicingChange{URL: *sent.Invoicing.URL}
		if invoicing.HMACKey.Set = strings.Contains(text, "hmacKey"); sent.Invoicing.HMACKey != nil {
			invoicing.HMACKey = optional.Some(*sent.Invoicing.HMACKey)
		}
		change.Invoicing = optional.Some(invoicing)
	}
	if change.CheckoutOrigins.Set = strings.Contains(text, "checkoutOrigins"); sent.Origins != nil {
		change.CheckoutOrigins = optional.Some(*sent.Origins)
	}
	if change.Meta.Set = strings.Contains(text, "meta"); sent.Meta != nil {
		change.Meta = optional.Some(*sent.Meta)
	}
	return change
}

const allSettings = `{
	"identificationConfig": [[{"type": "france_siren", "forceForB2B": true, "applicableBuyerCountries": ["fr", "RE"],
		"identificationThreshold": 10.5}], []],
	"invoicing": {"url": "https://invoices.ticketgate.dev/in?k=1", "hmacKey": "first key"},
	"checkoutOrigins": ["https://Shop.ticketgate.dev/", "https://shop.ticketgate.dev"],
	"meta": {"b": 1.0, "a": {"2": 1e21, "1": null}}
}`

const shownSettings = `"identificationConfig":[[{"type":"france_siren","forceForB2B":true,` +
	`"applicableBuyerCountries":["FR","RE"],"identificationThreshold":10.5}],[]],` +
	`"invoicing":{"url":"https://invoices.ticketgate.dev/in?k=1","signed":true},` +
	`"checkoutOrigins":["https://shop.ticketgate.dev"],"meta":{"b":1,"a":{"1":null,"2":1e+21}},`

func TestSellerSettings(t *testing.T) {
	w := newFixture(t)
	seller := w.seller(w.organization("Org").ID, "Seller")
	w.member("admin@example.com", domain.Admin, tenant.Place{SellerID: seller.ID})
	token := w.login("admin@example.com")
	update := func(text string) tenant.Seller {
		t.Helper()
		w.clock.pass(1e9)
		return must(w.sellers.Update(w.as(token), settings(t, text)))
	}
	target := func() tenant.InvoicingTarget {
		t.Helper()
		return must(w.Store.Tenants().InvoicingTarget(t.Context(), seller.ID))
	}
	if got := target(); got != (tenant.InvoicingTarget{}) {
		t.Errorf("a new seller sends its invoices to %+v", got)
	}

	changed := update(allSettings)
	if got := must(w.sellers.Get(w.as(token), seller.ID)); !got.Same(changed) {
		t.Errorf("got %+v back, want %+v", got, changed)
	}
	if me := must(w.users.Me(w.as(token))); !me.Memberships[0].Seller.Same(changed) || !me.Seller.Same(changed) {
		t.Errorf("its ADMIN sees %+v", me.Memberships[0].Seller)
	}
	if text := string(must(json.Marshal(changed))); !strings.Contains(text, shownSettings) || strings.Contains(text, "first key") {
		t.Errorf("got %s", text)
	}
	if got := target(); got != (tenant.InvoicingTarget{URL: "https://invoices.ticketgate.dev/in?k=1", HMACKey: "first key"}) {
		t.Errorf("invoices are sent to %+v", got)
	}
	if again := update(allSettings); !again.Same(changed) || w.audited(domain.UpdateSeller) != 1 {
		t.Errorf("the same settings again returned %+v", again)
	}
	if renamed := must(w.sellers.Update(w.as(token), tenant.SellerChange{Name: optional.Some("Renamed")})); renamed.Invoicing == nil ||
		len(renamed.IdentificationConfig) != 2 || target().HMACKey != "first key" {
		t.Errorf("a new name returned %+v", renamed)
	}
	update(`{"invoicing": {"url": "https://invoices.ticketgate.dev/in", "hmacKey": "second key"}}`)
	update(`{"invoicing": {"url": "https://invoices.ticketgate.dev/other"}}`)
	if got := target(); got != (tenant.InvoicingTarget{URL: "https://invoices.ticketgate.dev/other", HMACKey: "second key"}) {
		t.Errorf("a new URL without a key stored %+v", got)
	}
	if unsigned := update(`{"invoicing": {"url": "https://invoices.ticketgate.dev/other", "hmacKey": null}}`); unsigned.Invoicing.Signed || target().HMACKey != "" {
		t.Errorf("a null key returned %+v and stored %+v", unsigned.Invoicing, target())
	}
	cleared := update(`{"identificationConfig": null, "invoicing": null, "checkoutOrigins": null, "meta": null}`)
	want := seller
	want.Name, want.UpdatedAt = "Renamed", moment.New(w.clock.Now())
	if !cleared.Same(want) || !must(w.sellers.Get(w.system(), seller.ID)).Same(want) || target() != (tenant.InvoicingTarget{}) {
		t.Errorf("null returned %+v, want %+v", cleared, want)
	}
	if empty := update(`{"identificationConfig": []}`); empty.IdentificationConfig == nil {
		t.Error("an empty configuration became nil")
	}
	if got := w.Count(`SELECT count(*) FROM audit_entries WHERE action = 'updateSeller'
		AND (before::text LIKE '% key%' OR after::text LIKE '% key%')`); got != 0 {
		t.Errorf("%d audit entries hold a key", got)
	}
	if got := w.Count(`SELECT count(*) FROM audit_entries WHERE action = 'updateSeller'
		AND after->>'invoicingKey' = 'replaced'`); got != 1 {
		t.Errorf("%d audit entries record a replaced key, want 1", got)
	}
}

func TestSellerSettingsAreChecked(t *testing.T) {
	w := newFixture(t)
	seller := w.seller(w.organization("Org").ID, "Seller")
	for text, want := range map[string]string{
		`{"identificationConfig": [[{"type": "france_siren"}, {"type": "x", "applicableBuyerCountries": ["FR", "GP", "UK"]}]]}`: "identificationConfig[0][1].type identificationConfig[0][1].applicableBuyerCountries[2]",
		`{"invoicing": {"url": "http://localhost/in", "hmacKey": "` + strings.Repeat("k", 4097) + `"}}`:                         "invoicing.url invoicing.hmacKey",
		`{"checkoutOrigins": ["https://shop.ticketgate.dev", "http://shop.ticketgate.dev", "http://localhost:5173"]}`:           "checkoutOrigins[1] checkoutOrigins[2]",
		`{"checkoutOrigins": ["` + strings.Repeat(`x","`, 50) + `"]}`:                                                           "checkoutOrigins",
		`{"meta": []}`: "meta",
	} {
		change := settings(t, text)
		change.SellerID = seller.ID
		if _, err := w.sellers.Update(w.system(), change); domaintest.Paths(err) != want {
			t.Errorf("%.80s: got %v, want %q", text, err, want)
		}
	}
	w.sellers.LocalOrigins = true
	w.sellers.Policy.AllowPrivateAddresses = true
	change := settings(t, `{"checkoutOrigins": ["http://localhost:5173"], "invoicing": {"url": "http://localhost/in"}}`)
	change.SellerID = seller.ID
	if changed, err := w.sellers.Update(w.system(), change); err != nil || !changed.AllowsOrigin("http://localhost:5173") || changed.AllowsOrigin("http://localhost") {
		t.Errorf("in development: %+v, %v", changed, err)
	}
	if !must(w.Store.Tenants().OriginIsListed(t.Context(), "http://localhost:5173")) ||
		must(w.Store.Tenants().OriginIsListed(t.Context(), "http://localhost:5174")) {
		t.Error("the listed origin is not found, or an unlisted one is")
	}
}

func TestInvoicingTargetVisibility(t *testing.T) {
	w := newFixture(t)
	org := w.organization("Org")
	seller := w.seller(org.ID, "Seller")
	change := settings(t, `{"invoicing": {"url": "https://invoices.ticketgate.dev/in?k=1"}}`)
	change.SellerID = seller.ID
	seller = must(w.sellers.Update(w.system(), change))
	w.member("admin@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	w.member("developer@example.com", domain.Developer, tenant.Place{SellerID: seller.ID})
	w.member("manager@example.com", domain.Manager, tenant.Place{SellerID: seller.ID})
	for who, sees := range map[string]bool{"admin@example.com": true, "developer@example.com": true, "manager@example.com": false} {
		if got := seller.ShownInvoicing(w.as(w.login(who))); (got != nil) != sees {
			t.Errorf("%s sees %+v", who, got)
		}
	}
	if seller.ShownInvoicing(w.system()) == nil || seller.ShownInvoicing(w.apiKey(seller.ID)) != nil || seller.ShownInvoicing(t.Context()) != nil {
		t.Error("the platform does not see the invoicing, or a forbidden caller does")
	}
	if got := seller.Identification(); got.Country != "FR" || got.SIREN || got.Configuration != nil {
		t.Errorf("Identification returned %+v", got)
	}
}
