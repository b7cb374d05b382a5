package tenant_test

import (
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/tenant"
)

func TestMe(t *testing.T) {
	w := newFixture(t)
	org, foreign := w.organization("Org"), w.organization("Empty")
	seller, other := w.seller(org.ID, "Seller"), w.seller(org.ID, "Other")
	w.member("ada@example.com", domain.Manager, tenant.Place{OrganizationID: foreign.ID})
	w.member("ada@example.com", domain.Viewer, tenant.Place{OrganizationID: org.ID})
	w.member("ada@example.com", domain.Developer, tenant.Place{SellerID: other.ID})
	token := w.login("ada@example.com")

	t.Run("a user sees its memberships and its default seller", func(t *testing.T) {
		me := must(w.users.Me(w.as(token)))
		if me.Type != tenant.CallerUser || me.User.Email != "ada@example.com" || me.ID != me.User.ID || !me.Seller.Same(seller) ||
			*me.Role != domain.Viewer || me.Organization != nil || len(me.Memberships) != 3 || me.Mode != "dev" ||
			me.RetentionDays != 30 {
			t.Fatalf("got %+v", me)
		}
		if m := me.Memberships; *m[0].Organization != foreign || m[0].Seller != nil || m[0].Role != domain.Manager ||
			*m[1].Organization != org || !m[2].Seller.Same(other) || m[2].Organization != nil {
			t.Errorf("got %+v", m)
		}
	})
	t.Run("a user that names a seller has the higher role there", func(t *testing.T) {
		ctx := domain.WithActor(t.Context(), must(w.authenticate(token, string(other.ID))))
		if me := must(w.users.Me(ctx)); !me.Seller.Same(other) || *me.Role != domain.Developer {
			t.Errorf("got %+v", me)
		}
	})
	t.Run("a key sees its seller", func(t *testing.T) {
		me := must(w.users.Me(w.apiKey(seller.ID)))
		if me.Type != tenant.CallerAPIKey || !me.Seller.Same(seller) || me.User != nil || me.Role != nil {
			t.Errorf("got %+v", me)
		}
	})
	t.Run("an organization key sees its organization", func(t *testing.T) {
		key := &domain.Actor{Kind: domain.OrganizationKeyActor, ID: "k", OrgID: org.ID}
		me := must(w.users.Me(domain.WithActor(t.Context(), key)))
		if me.Type != tenant.CallerOrganizationKey || me.ID != "k" || *me.Organization != org || me.Seller != nil {
			t.Errorf("got %+v", me)
		}
	})
	t.Run("the platform sees itself; no credential is refused", func(t *testing.T) {
		if me := must(w.users.Me(w.system())); me.Type != tenant.CallerSystem || me.ID != "system" {
			t.Errorf("got %+v", me)
		}
		_, err := w.users.Me(w.from(""))
		domaintest.HasCode(t, "no credential", err, domain.CodeUnauthenticated)
	})
}

func TestCreateUserAndResetPassword(t *testing.T) {
	w := newFixture(t)
	credentials := must(w.users.Create(w.system(), tenant.NewUser{Email: "ada@example.com", Name: "Ada"}))
	if credentials.User.Name != "Ada" || credentials.Password == "" {
		t.Errorf("got %+v", credentials)
	}
	if _, err := w.users.Create(w.system(), tenant.NewUser{Email: "ADA@example.com", Password: goodPassword}); domaintest.Paths(err) != "email" {
		t.Errorf("a second account: %v", err)
	}
	if _, err := w.users.Create(w.system(), tenant.NewUser{Email: "x", Password: "short"}); domaintest.Paths(err) != "email password" {
		t.Errorf("got %v", err)
	}
	token := must(w.sessions.Login(w.from(""), tenant.LoginInput{Email: "ada@example.com", Password: credentials.Password})).Token
	for range 5 {
		_, _ = w.sessions.Login(w.from(""), tenant.LoginInput{Email: "ada@example.com", Password: "wrong"})
	}

	for name, ctx := range map[string]error{
		"a user":        second(w.users.SetPassword(w.as(token), tenant.NewPassword{Email: "ada@example.com", Password: goodPassword})),
		"creates":       second(w.users.Create(w.as(token), tenant.NewUser{Email: "eve@example.com"})),
		"no credential": second(w.users.SetPassword(w.from(""), tenant.NewPassword{Email: "ada@example.com", Password: goodPassword})),
	} {
		domaintest.HasCode(t, name, ctx, domain.CodeForbidden)
	}
	_, err := w.users.SetPassword(w.system(), tenant.NewPassword{Email: "eve@example.com", Password: goodPassword})
	domaintest.HasCode(t, "an unknown address", err, domain.CodeNotFound)
	_, err = w.users.SetPassword(w.system(), tenant.NewPassword{Email: "ada@example.com", Password: "short"})
	if domaintest.Paths(err) != "password" {
		t.Errorf("got %v", err)
	}

	reset := must(w.users.SetPassword(w.system(), tenant.NewPassword{Email: "Ada@example.com", Password: goodPassword}))
	if reset != credentials.User {
		t.Errorf("got %+v", reset)
	}
	w.isDead("a reset", token)
	w.login("ada@example.com") // the lock is gone too
	if got := w.audited("resetPassword"); got != 1 {
		t.Errorf("%d audit entries", got)
	}
}

func second[T any](_ T, err error) error { return err }
