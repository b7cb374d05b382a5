package tenant_test

import (
	"context"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/tenant"
)

func TestCreateSeller(t *testing.T) {
	w := newFixture(t)
	org := w.organization("  Org ")
	if org.Name != "Org" || len(org.ID) != 24 || w.audited(domain.CreateOrganization) != 1 {
		t.Errorf("got organization %+v", org)
	}
	w.member("owner@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	w.member("clerk@example.com", domain.Developer, tenant.Place{OrganizationID: org.ID})
	key := domain.WithActor(t.Context(), &domain.Actor{Kind: domain.OrganizationKeyActor, ID: "k", OrgID: org.ID})

	callers := map[string]context.Context{
		"the platform": w.system(), "a key": key, "an ADMIN": w.as(w.login("owner@example.com")),
		"a DEVELOPER": w.as(w.login("clerk@example.com")), "no credential": w.from(""), "a seller's key": w.apiKey("s"),
	}

	for name, row := range map[string]struct {
		who  string
		org  ids.Org
		code domain.Code
	}{
		"the platform":                       {"the platform", org.ID, ""},
		"the platform, unknown organization": {"the platform", "unknown", domain.CodeValidationFailed},
		"the organization's key":             {"a key", org.ID, ""},
		"another organization's key":         {"a key", "other", domain.CodeNotFound},
		"the organization's ADMIN":           {"an ADMIN", org.ID, ""},
		"another organization's ADMIN":       {"an ADMIN", "other", domain.CodeNotFound},
		"the organization's DEVELOPER":       {"a DEVELOPER", org.ID, domain.CodeForbidden},
		"no credential":                      {"no credential", org.ID, domain.CodeUnauthenticated},
		"a seller's key":                     {"a seller's key", org.ID, domain.CodeForbidden},
	} {
		input := tenant.NewSeller{OrganizationID: row.org, Name: " Seller ", Country: "fr", SIREN: true}
		seller, err := w.sellers.Create(callers[row.who], input)
		switch {
		case row.code != "":
			domaintest.HasCode(t, name, err, row.code)
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case seller.Name != "Seller" || seller.Country != "FR" || seller.Features() != (domain.Features{SIREN: true}):
			t.Errorf("%s: got %+v", name, seller)
		case !must(w.sellers.Get(w.system(), seller.ID)).Same(seller):
			t.Errorf("%s: the stored seller differs", name)
		}
	}
	_, err := w.sellers.Create(w.system(), tenant.NewSeller{OrganizationID: org.ID, Country: "UK"})
	if domaintest.Paths(err) != "name country" {
		t.Errorf("got %v", err)
	}
	_, err = w.organizations.Create(callers["an ADMIN"], tenant.NewOrganization{Name: "Mine"})
	domaintest.HasCode(t, "a session that creates an organization", err, domain.CodeForbidden)
	if _, err := w.organizations.Create(w.system(), tenant.NewOrganization{Name: " "}); domaintest.Paths(err) != "name" {
		t.Errorf("got %v", err)
	}
}

func (w *fixture) apiKey(seller ids.Seller) context.Context {
	return domain.WithActor(w.T.Context(), &domain.Actor{Kind: domain.APIKeyActor, SellerID: seller, FullSellerAccess: true})
}

func TestSellerVisibility(t *testing.T) {
	w := newFixture(t)
	org, foreign := w.organization("Org"), w.organization("Foreign")
	seller, two, other := w.seller(org.ID, "one"), w.seller(org.ID, "two"), w.seller(foreign.ID, "other")
	w.member("owner@example.com", domain.Viewer, tenant.Place{OrganizationID: org.ID})
	w.member("both@example.com", domain.Viewer, tenant.Place{SellerID: two.ID})
	w.member("both@example.com", domain.Viewer, tenant.Place{SellerID: other.ID})
	w.member("nobody@example.com", domain.Viewer, tenant.Place{SellerID: two.ID})
	key := domain.WithActor(t.Context(), &domain.Actor{Kind: domain.OrganizationKeyActor, ID: "k", OrgID: foreign.ID})

	callers := map[string]context.Context{
		"the platform": w.system(), "a key of an organization": key,
		"a member of the organization": w.as(w.login("owner@example.com")),
		"a member of two sellers":      w.as(w.login("both@example.com")),
		"a member of one seller":       w.as(w.login("nobody@example.com")),
	}
	for name, want := range map[string]struct{ sellers, organizations string }{
		"the platform":                 {"one two other", "Org Foreign"},
		"a key of an organization":     {"other", "Foreign"},
		"a member of the organization": {"one two", "Org"},
		"a member of two sellers":      {"two other", ""},
		"a member of one seller":       {"two", ""},
	} {
		ctx := callers[name]
		list := must(w.sellers.List(ctx, domain.Page{Limit: 10}))
		sellers, organizations := make([]string, 0, len(list.Items)), make([]string, 0, 2)
		for _, seller := range list.Items {
			sellers = append(sellers, seller.Name)
			if got := must(w.sellers.Get(ctx, seller.ID)); !got.Same(seller) {
				t.Errorf("%s: got %+v, listed %+v", name, got, seller)
			}
		}
		for _, organization := range must(w.organizations.List(ctx, domain.Page{Limit: 10})).Items {
			organizations = append(organizations, organization.Name)
		}
		if got := strings.Join(sellers, " "); got != want.sellers || must(list.Total(t.Context())) != len(sellers) {
			t.Errorf("%s sees the sellers %q, want %q", name, got, want.sellers)
		}
		if got := strings.Join(organizations, " "); got != want.organizations {
			t.Errorf("%s sees the organizations %q, want %q", name, got, want.organizations)
		}
	}
	for name, ctx := range map[string]context.Context{"key": key, "session": w.as(w.login("nobody@example.com"))} {
		for _, id := range []ids.Seller{seller.ID, "unknown"} {
			_, err := w.sellers.Get(ctx, id)
			domaintest.HasCode(t, name+" of "+string(id), err, domain.CodeNotFound)
		}
	}
	_, err := w.sellers.Get(w.apiKey(seller.ID), seller.ID)
	domaintest.HasCode(t, "a seller's key", err, domain.CodeForbidden)
}

func TestUpdateSeller(t *testing.T) {
	w := newFixture(t)
	seller := w.seller(w.organization("Org").ID, "Seller")
	w.member("admin@example.com", domain.Admin, tenant.Place{SellerID: seller.ID})
	w.member("developer@example.com", domain.Developer, tenant.Place{SellerID: seller.ID})
	token := w.login("admin@example.com")

	_, err := w.sellers.Update(w.as(w.login("developer@example.com")), tenant.SellerChange{Name: optional.Some("Mine")})
	domaintest.HasCode(t, "a DEVELOPER", err, domain.CodeForbidden)
	_, err = w.sellers.Update(w.system(), tenant.SellerChange{Name: optional.Some("x")})
	domaintest.HasCode(t, "the platform without a named seller", err, domain.CodeInvalidRequest)
	_, err = w.sellers.Update(w.as(token), tenant.SellerChange{Name: optional.Some(""), Country: optional.Some("XX")})
	if domaintest.Paths(err) != "name country" {
		t.Errorf("got %v", err)
	}

	_, err = w.sellers.Update(w.as(token), tenant.SellerChange{
		Name: optional.Null[string](), Country: optional.Null[string](), Webhooks: optional.Null[bool](), SIREN: optional.Null[bool](),
	})
	if domaintest.Paths(err) != "name country webhooks siren" || !strings.HasPrefix(err.Error(), "name must not be null. Omit it to keep the name") {
		t.Errorf("null for fields that can't be cleared: %v", err)
	}

	w.clock.pass(1)
	same := must(w.sellers.Update(w.as(token), tenant.SellerChange{
		Name: optional.Some("Seller "), Webhooks: optional.Some(true),
	}))
	if !same.Same(seller) || w.audited(domain.UpdateSeller) != 0 {
		t.Errorf("a change without effect returned %+v", same)
	}
	w.clock.pass(1e9)
	want := seller
	want.Country, want.Webhooks, want.SIREN, want.UpdatedAt = "RE", false, true, moment.New(w.clock.Now())
	changed := must(w.sellers.Update(w.as(token), tenant.SellerChange{
		Country: optional.Some("re"), Webhooks: optional.Some(false), SIREN: optional.Some(true),
	}))
	if !changed.Same(want) || !must(w.sellers.Get(w.system(), seller.ID)).Same(want) {
		t.Errorf("got %+v, want %+v", changed, want)
	}
	if actor := must(w.authenticate(token, "")); actor.Features != (domain.Features{SIREN: true}) {
		t.Errorf("the session has the features %+v", actor.Features)
	}
	if got := w.Count(`SELECT count(*) FROM audit_entries WHERE action = 'updateSeller' AND seller_id = $1
		AND before->>'country' = 'FR' AND after->>'country' = 'RE' AND NOT after ? 'name'`, string(seller.ID)); got != 1 {
		t.Errorf("%d audit entries show the change", got)
	}
}
